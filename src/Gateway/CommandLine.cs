using System.Text;
using System.Text.Json;
using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Host.Importing;
using Gateway.Server.Users;

namespace Gateway.Host;

/// <summary>The program's arguments: <c>--Key=Value</c> pairs, <c>--demo</c>, <c>--hash-password</c>, <c>--version</c>,
/// <c>--help</c>, <c>config …</c>, <c>import …</c>, <c>pubsub …</c>,
/// <c>audit …</c>; <c>health</c> is the program's own.</summary>
internal static class CommandLine
{
    /// <summary>Only the command line and the environment can give it.</summary>
    public const string PathKey = "Config:Path";

    private const string FileName = "appsettings.json";

    /// <summary>Ten times those of a gateway with a hundred controllers: looking for what was meant by an unknown key
    /// costs.</summary>
    private const int MaxCandidateKeys = 10_000;

    /// <summary>Runs a command that starts no server. Null: start the server.</summary>
    public static int? TryRunVerb(string[] arguments)
    {
        if (arguments.Contains("--help"))
        {
            Console.Out.Write(HelpText.Make());
            return 0;
        }

        if (arguments.Contains("--version"))
        {
            Console.Out.WriteLine(ProductVersion.Text);
            return 0;
        }

        if (arguments is [ConfigurationVerbs.Name, ..])
            return ConfigurationVerbs.Run(arguments.AsSpan(1), Console.Out, Console.Error);
        if (arguments is [ImportVerb.Name, ..])
            return ImportVerb.Run(arguments.AsSpan(1), Console.Out, Console.Error);
        if (arguments is [PubSubVerb.Name, ..])
            return PubSubVerb.Run(arguments.AsSpan(1), Console.In, Console.Out, Console.Error);
        if (arguments is [AuditVerb.Name, ..])
            return AuditVerb.Run(arguments.AsSpan(1), Console.Out, Console.Error);
        if (!arguments.Contains("--hash-password"))
            return null;
        var password = Console.In.ReadLine();
        if (string.IsNullOrEmpty(password))
        {
            Console.Error.WriteLine("No password on standard input.");
            return 1;
        }

        Console.Out.WriteLine(PasswordHash.Create(Encoding.UTF8.GetBytes(password)).ToString());
        return 0;
    }

    /// <summary>Later sources have precedence: the program's own appsettings.json, the operator's file
    /// (<see cref="FilesOf"/>), the environment, the command line. Errors: <see cref="InvalidDataException"/> for a
    /// file that cannot be read, with its path and the line.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="workingDirectory">Null: that of the process.</param>
    /// <param name="candidate">JSON in the place of the operator's file; null: the file.</param>
    public static IConfigurationRoot ReadConfiguration(
        string[] arguments, string? workingDirectory = null, Stream? candidate = null)
    {
        var builder = new ConfigurationBuilder();
        var files = FilesOf(arguments, workingDirectory);
        foreach (var file in candidate is null ? files : files[..^1])
            AddFile(builder, file);
        if (candidate is not null)
            AddText(builder, candidate);
        return builder.AddEnvironmentVariables().Add(new ArgumentsProvider(arguments)).Build();
    }

    /// <summary>The files that are read if they are there, lowest precedence first. The last one is the operator's:
    /// that of <see cref="PathKey"/>, else that of the working directory. Errors: <see cref="InvalidDataException"/>
    /// where the key names a file that is not there.</summary>
    public static string[] FilesOf(string[] arguments, string? workingDirectory = null)
    {
        var own = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, FileName));
        var given = new ConfigurationBuilder().AddEnvironmentVariables().Add(new ArgumentsProvider(arguments))
            .Build()[PathKey];
        var folder = workingDirectory ?? Environment.CurrentDirectory;
        var last = Path.GetFullPath(Path.Combine(folder, string.IsNullOrEmpty(given) ? FileName : given));
        if (!string.IsNullOrEmpty(given) && !File.Exists(last))
            throw new InvalidDataException($"{PathKey}: there is no file '{last}'");
        return last == own ? [own] : [own, last];
    }

    private static void AddText(ConfigurationBuilder builder, Stream text)
    {
        try
        {
            using var copy = new MemoryStream();
            text.CopyTo(copy);
            CheckKeys(copy.GetBuffer().AsSpan(0, (int)copy.Length));
            copy.Position = 0;
            builder.AddConfiguration(new ConfigurationBuilder().AddJsonStream(copy).Build());
        }
        catch (Exception error) when (error is InvalidDataException or JsonException or FormatException)
        {
            throw new InvalidDataException(ProblemOf(error), error);
        }
    }

    /// <summary>Counts in the text: to list the keys of a configuration takes the square of their number.</summary>
    private static void CheckKeys(ReadOnlySpan<byte> json)
    {
        var bom = Encoding.UTF8.Preamble;
        var reader = new Utf8JsonReader(
            json.StartsWith(bom) ? json[bom.Length..] : json,
            new JsonReaderOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
        var values = 0;
        while (reader.Read())
        {
            if (reader.TokenType is JsonTokenType.PropertyName or JsonTokenType.EndObject or JsonTokenType.EndArray)
                continue;
            if (++values > MaxCandidateKeys)
                throw new InvalidDataException($"it has more than {MaxCandidateKeys} keys");
        }
    }

    internal static void AddFile(ConfigurationBuilder builder, string path)
    {
        if (!File.Exists(path))
            return;
        builder.AddJsonFile(path, optional: true);
        try
        {
            // Each file is read alone first: an error of all together would not name the file.
            new ConfigurationBuilder().AddJsonFile(path, optional: true).Build();
        }
        catch (Exception error) when (
            error is InvalidDataException or IOException or UnauthorizedAccessException or FormatException)
        {
            throw new InvalidDataException($"{path}: {ProblemOf(error)}", error);
        }
    }

    private static string ProblemOf(Exception error)
    {
        for (var cause = error; cause is not null; cause = cause.InnerException)
        {
            if (cause is JsonException { LineNumber: { } line } json)
                return $"line {line + 1}, column {json.BytePositionInLine + 1}: {WithoutPlace(json.Message)}";
        }

        return error.GetBaseException().Message;
    }

    /// <summary>The message ends with the same position, counted from 0.</summary>
    private static string WithoutPlace(string message)
    {
        var end = message.IndexOf(" LineNumber:", StringComparison.Ordinal);
        return end < 0 ? message : message[..end];
    }
}
