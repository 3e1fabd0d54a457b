// A client and a server on loopback sockets, with every operation of JSON:API.
//
//   client-and-server           the server on its own thread, and the client
//   client-and-server serve     the server alone, for curl and other clients

import Foundation

signal(SIGPIPE, SIG_IGN)  // A client that disconnects does not end the server.
let (listener, port) = try Socket.listening()
if CommandLine.arguments.dropFirst().first == "serve" {
    print("http://127.0.0.1:\(port)/articles")
    try Server().serve(listener)
} else {
    Thread.detachNewThread { try? Server().serve(listener) }
    try await Client(port: port).talk()
}
