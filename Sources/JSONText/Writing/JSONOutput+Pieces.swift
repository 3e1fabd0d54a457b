// Members and objects whose beginning was made once as a piece, for texts on one line: room is made once for all of it.

extension JSONOutput {
    /// Writes a member's name.
    package func name(_ piece: OutputPiece) {
        begin(with: piece, room: 0)
        state.pointee.position = .afterName
    }

    /// Writes a member whose value is a string.
    package func member(_ name: OutputPiece, string text: String) {
        if let short = ShortText(inside: text) {
            begin(with: name, room: ShortText.room)
            quote(short)
        } else {
            UTF8Bytes.with(text) { bytes in
                begin(with: name, room: bytes.count &+ 2)
                quote(bytes)
            }
        }
        state.pointee.position = .next
    }

    /// Writes a member whose value is an integer.
    package func member(_ name: OutputPiece, integer value: Int64) {
        begin(with: name, room: 20)
        if value < 0 { state.pointee.buffer.put(0x2D) }
        state.pointee.buffer.put(decimal: value.magnitude)
        state.pointee.position = .next
    }

    /// Writes a member whose value is true or false.
    package func member(_ name: OutputPiece, bool value: Bool) {
        begin(with: name, room: 8)
        state.pointee.buffer.put(value)
        state.pointee.position = .next
    }

    /// Writes a member whose value is an object, and begins that: the piece ends with the brace.
    package func beginObject(with piece: OutputPiece) {
        begin(with: piece, room: 0)
        state.pointee.depth &+= 1
        state.pointee.position = .first
    }

    /// The same with the name of the object's first member: the piece ends with the colon.
    package func beginObject(naming piece: OutputPiece) {
        begin(with: piece, room: 0)
        state.pointee.depth &+= 1
        state.pointee.position = .afterName
    }

    /// Begins an object with a string: the piece has the brace and all up to the colon in front of that string.
    package func beginObject(with piece: OutputPiece, _ text: String) {
        member(piece, string: text)
        state.pointee.depth &+= 1
    }

    /// The same with a short text.
    package func beginObject(with piece: OutputPiece, _ text: ShortText) {
        begin(with: piece, room: ShortText.room)
        quote(text)
        state.pointee.position = .next
        state.pointee.depth &+= 1
    }

    /// Writes a whole object that ends with a string: the piece has the brace and all up to the colon in front of that string.
    package func object(with piece: OutputPiece, _ text: String) {
        member(piece, string: text)
        state.pointee.buffer.append(0x7D)
    }

    /// The same with a short text.
    package func object(with piece: OutputPiece, _ text: ShortText) {
        begin(with: piece, room: ShortText.room &+ 1)
        quote(text)
        state.pointee.buffer.append(0x7D)
        state.pointee.position = .next
    }

    /// Writes a comma where one is due, and a piece; there is room for so many bytes behind it.
    @inline(__always)
    private func begin(with piece: OutputPiece, room: Int) {
        assert(state.pointee.indentation < 0)
        state.pointee.buffer.reserve(OutputPiece.room &+ 1 &+ room)
        if state.pointee.position == .next { state.pointee.buffer.put(0x2C) }
        state.pointee.buffer.put(piece)
    }
}
