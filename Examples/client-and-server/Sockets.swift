// The part of HTTP that these two programs need, on loopback sockets. Other programs use URLSession, AsyncHTTPClient, or Vapor.

import Foundation
import JSONAPIHTTP

#if canImport(Glibc)
    import Glibc
    private let stream = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Musl)
    import Musl
    private let stream = Int32(SOCK_STREAM)
#else
    import Darwin
    private let stream = SOCK_STREAM
#endif

struct SocketError: Error {
    let call: String
    let code = errno
}

/// One message of HTTP: the first line, header fields, body.
struct HTTPMessage {
    var firstLine: String
    var headers: [String: String]
    var body: Data
}

struct Socket {
    let descriptor: Int32

    /// A socket that waits at a free port of this machine.
    static func listening() throws -> (socket: Socket, port: UInt16) {
        let made = Socket(descriptor: socket(AF_INET, stream, 0))
        var address = loopback(port: 0)
        try check("bind", withAddress(&address) { bind(made.descriptor, $0, $1) })
        try check("listen", listen(made.descriptor, 8))
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try check("getsockname", withAddress(&address) { name, _ in getsockname(made.descriptor, name, &length) })
        return (made, UInt16(bigEndian: address.sin_port))
    }

    /// A socket that is connected to a port of this machine.
    static func connected(to port: UInt16) throws -> Socket {
        let made = Socket(descriptor: socket(AF_INET, stream, 0))
        var address = loopback(port: port)
        try check("connect", withAddress(&address) { connect(made.descriptor, $0, $1) })
        return made
    }

    /// The next connection.
    func accepted() throws -> Socket {
        let connection = accept(descriptor, nil, nil)
        try Self.check("accept", connection)
        return Socket(descriptor: connection)
    }

    func close() { _ = shutdownAndClose(descriptor) }

    func send(_ data: Data) throws {
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw SocketError(call: "write") }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads a message: its head, and as many bytes as `Content-Length` says.
    func receive() throws -> HTTPMessage {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let head = bytes.firstRange(of: end) {
                var message = Self.message(String(decoding: bytes[..<head.lowerBound], as: UTF8.self))
                let length = message.headers["content-length"].flatMap { Int($0) } ?? 0
                while bytes.count < head.upperBound + length { bytes += try chunk() }
                message.body = Data(bytes[head.upperBound..<head.upperBound + length])
                return message
            }
            bytes += try chunk()
        }
    }

    private func chunk() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { throw SocketError(call: "read") }
        return Array(buffer[..<count])
    }

    private static func message(_ head: String) -> HTTPMessage {
        let lines = head.components(separatedBy: "\r\n")
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return (parts[0].lowercased(), parts.count > 1 ? parts[1] : "")
        }
        return HTTPMessage(firstLine: lines[0], headers: Dictionary(fields) { first, _ in first }, body: Data())
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withAddress<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    private static func check(_ call: String, _ code: Int32) throws {
        guard code >= 0 else { throw SocketError(call: call) }
    }
}

private func shutdownAndClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

extension Data {
    /// The bytes of a message with these parts.
    init(head: String, headers: [String: String], body: Data?) {
        var text = head + "\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        self = Data((text + "\r\n").utf8) + (body ?? Data())
    }
}
