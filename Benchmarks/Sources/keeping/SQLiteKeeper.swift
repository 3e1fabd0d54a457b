#if SQLITE
    import CSQLite
    import Foundation

    /// Rows of a table, with a column for each attribute, or with one column for a JSON text. The journal mode is SQLite's default, DELETE,
    /// with full syncs.
    struct SQLiteKeeper: Keeper {
        let name: String
        let isTyped: Bool

        static let json = SQLiteKeeper(name: "SQLite, JSON rows", isTyped: false)
        static let typed = SQLiteKeeper(name: "SQLite, columns", isTyped: true)

        func write(_ notes: [Note], to url: URL) throws {
            let database = try Database(url)
            try database.run(
                isTyped
                    ? """
                    CREATE TABLE notes (id TEXT PRIMARY KEY, title TEXT, body TEXT, author TEXT, views INTEGER, rating REAL, published INTEGER, tag TEXT)
                    """ : "CREATE TABLE notes (id TEXT PRIMARY KEY, json TEXT)")
            try database.run("BEGIN")
            let insert = try database.statement(isTyped ? "INSERT INTO notes VALUES (?,?,?,?,?,?,?,?)" : "INSERT INTO notes VALUES (?,?)")
            for note in notes { try store(note, insert) }
            try database.run("COMMIT")
        }

        private func store(_ note: Note, _ statement: Statement) throws {
            try statement.bind(1, note.id)
            if isTyped {
                try statement.bind(2, note.title)
                try statement.bind(3, note.body)
                try statement.bind(4, note.author)
                try statement.bind(5, note.views)
                try statement.bind(6, note.rating)
                try statement.bind(7, note.isPublished ? 1 : 0)
                try statement.bind(8, note.tag)
            } else {
                try statement.bind(2, String(decoding: try JSONEncoder().encode(PlainNote(note)), as: UTF8.self))
            }
            _ = try statement.step()
            statement.reset()
        }

        private func note(_ row: Statement) throws -> Note {
            guard isTyped else {
                let plain = try JSONDecoder().decode(PlainNote.self, from: Data((row.text(1) ?? "").utf8))
                return Note(
                    id: plain.id, title: plain.title, body: plain.body, author: plain.author, views: plain.views, rating: plain.rating,
                    isPublished: plain.isPublished, tag: plain.tag)
            }
            return Note(
                id: row.text(0) ?? "", title: row.text(1) ?? "", body: row.text(2) ?? "", author: row.text(3) ?? "", views: row.integer(4),
                rating: row.double(5), isPublished: row.integer(6) != 0, tag: row.text(7))
        }

        func readAll(_ url: URL) throws -> Int {
            let database = try Database(url)
            let rows = try database.statement("SELECT * FROM notes")
            var notes: [Note] = []
            while try rows.step() { notes.append(try note(rows)) }
            return notes.count
        }

        func readOne(_ id: String, _ url: URL) throws -> String? {
            let database = try Database(url)
            let rows = try database.statement("SELECT * FROM notes WHERE id = ?")
            try rows.bind(1, id)
            return try rows.step() ? try note(rows).title : nil
        }

        func replace(_ note: Note, _ url: URL) throws {
            let database = try Database(url)
            let replace = try database.statement(
                isTyped ? "REPLACE INTO notes VALUES (?,?,?,?,?,?,?,?)" : "REPLACE INTO notes VALUES (?,?)")
            try store(note, replace)
        }
    }

    struct SQLiteError: Error {
        let code: Int32
    }

    private final class Database {
        private var handle: OpaquePointer?

        init(_ url: URL) throws {
            try check(sqlite3_open(url.path, &handle))
            try run("PRAGMA synchronous = FULL")
        }

        deinit { sqlite3_close_v2(handle) }

        func run(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

        func statement(_ sql: String) throws -> Statement {
            var statement: OpaquePointer?
            try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
            return Statement(statement)
        }
    }

    private final class Statement {
        private let handle: OpaquePointer?
        /// SQLite copies texts that are bound with it.
        private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

        init(_ handle: OpaquePointer?) { self.handle = handle }

        deinit { sqlite3_finalize(handle) }

        func bind(_ index: Int32, _ text: String?) throws {
            guard let text else { return try check(sqlite3_bind_null(handle, index)) }
            try check(sqlite3_bind_text(handle, index, text, -1, Self.transient))
        }
        func bind(_ index: Int32, _ number: Int) throws { try check(sqlite3_bind_int64(handle, index, Int64(number))) }
        func bind(_ index: Int32, _ number: Double) throws { try check(sqlite3_bind_double(handle, index, number)) }

        /// Whether there is a row.
        func step() throws -> Bool {
            let code = sqlite3_step(handle)
            if code != SQLITE_ROW, code != SQLITE_DONE { throw SQLiteError(code: code) }
            return code == SQLITE_ROW
        }

        func reset() { sqlite3_reset(handle) }

        func text(_ column: Int32) -> String? { sqlite3_column_text(handle, column).map { String(cString: $0) } }
        func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
        func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw SQLiteError(code: code) }
    }
#endif
