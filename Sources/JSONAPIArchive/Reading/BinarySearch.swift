extension Range<Int> {
    /// Returns the first index for which `isInSecondHalf` returns true, or the end of the range. All indexes before it must return false,
    /// and all after it true.
    package func partitioningIndex(_ isInSecondHalf: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isInSecondHalf(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
