import Foundation
import PackagePlugin

/// `swift package generate-models`: runs `jsonapi generate` for a target of the package that uses it.
///
///     swift package --allow-writing-to-package-directory generate-models --target App Samples/articles.json
///     swift package --allow-writing-to-package-directory generate-models --target App --force openapi.json
///
/// The models become files in the folder `Generated` of the target, or in the one that `--out` names, which lies in the package.
/// Every other argument goes to `jsonapi generate` as it is.
@main
struct GenerateModels: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let tool = try context.tool(named: "jsonapi").url
        guard !arguments.contains("--help"), !arguments.contains("-h") else {
            print(Self.help)
            return try run(tool, ["generate", "--help"])
        }
        var extractor = ArgumentExtractor(arguments)
        let targets = extractor.extractOption(named: "target")
        let folders = extractor.extractOption(named: "out")
        guard targets.count < 2, folders.count < 2 else { throw Refusal("--target and --out are given once only") }
        let rest = extractor.remainingArguments
        guard !rest.contains("-") else { throw Refusal("a plugin has no standard input: name files") }
        let folder = try folders.first.map { URL(fileURLWithPath: $0) } ?? defaultFolder(targets.first, context.package)
        try check(folder, in: context.package)
        try run(tool, ["generate", "--out", folder.path] + rest)
    }

    private static let help = """
        Runs `jsonapi generate` for a target of this package.

        USAGE: swift package generate-models [--target NAME] [--out FOLDER] [options of jsonapi generate] FILE…

        The models become files in the folder Generated of the target, or in FOLDER, which has to lie in this package. A
        package with one target needs no --target. --force replaces what was generated before.
        --allow-writing-to-package-directory, before generate-models, saves the question.

        What follows is the help of `jsonapi generate`.

        """
}

// MARK: - Where to

extension GenerateModels {
    /// The folder `Generated` of the target with the given name, or of the only target that is not a test.
    private func defaultFolder(_ name: String?, _ package: Package) throws -> URL {
        let targets = package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.filter { $0.kind != .test }
        let list = targets.map(\.name).joined(separator: ", ")
        if let name {
            guard let target = targets.first(where: { $0.name == name }) else {
                throw Refusal("no target is called \(name); there are: \(list)")
            }
            return target.directoryURL.appendingPathComponent("Generated", isDirectory: true)
        }
        guard targets.count == 1 else {
            throw Refusal("say for which target, as in --target NAME, or into which folder with --out; targets: \(list)")
        }
        return targets[0].directoryURL.appendingPathComponent("Generated", isDirectory: true)
    }

    /// Outside of the package, the sandbox would prevent writing, with a less helpful message.
    private func check(_ folder: URL, in package: Package) throws {
        let root = package.directoryURL.resolvingSymlinksInPath().standardizedFileURL.path
        let path = folder.resolvingSymlinksInPath().standardizedFileURL.path
        guard path == root || path.hasPrefix(root + "/") else { throw Refusal("\(path) lies outside the package \(root)") }
    }
}

// MARK: - Running

extension GenerateModels {
    private func run(_ tool: URL, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        // The standard input of a plugin belongs to the package manager.
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            // The error is already on standard error.
            throw Refusal("jsonapi generate ended with status \(process.terminationStatus)")
        }
    }
}

/// The reason why nothing was generated.
struct Refusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
