@main
struct Growth {
    static func main() throws {}
}
