using System.Text;
using Gateway.Server.Users;

namespace Gateway.Host;

/// <summary>What the program is called with: <c>--Key=Value</c> pairs, <c>--demo</c>, <c>--hash-password</c>,
/// <c>--help</c>.</summary>
internal static class CommandLine
{
    private const string Help = """
        OPC UA Gateway

          --demo                  a first look: no security needed, anonymous users may write and call
          --Section:Key=Value     any key of appsettings.json, for example --OpcUa:Port=4840 --Http:Port=8080
          --hash-password         reads a password from standard input and prints its PasswordHash
          --help                  this text

        The same keys work as environment variables, with __ for the colon: OpcUa__Port=4840
        """;

    /// <summary>Runs a verb that is no server. Null: start the server.</summary>
    public static int? TryRunVerb(string[] arguments)
    {
        if (arguments.Contains("--help"))
        {
            Console.Out.WriteLine(Help);
            return 0;
        }
        if (!arguments.Contains("--hash-password"))
            return null;
        var password = Console.In.ReadLine();
        if (string.IsNullOrEmpty(password))
        {
            Console.Error.WriteLine("No password on standard input.");
            return 2;
        }
        Console.Out.WriteLine(PasswordHash.Create(Encoding.UTF8.GetBytes(password)).ToString());
        return 0;
    }

    /// <summary>Later sources win: the program's own appsettings.json, that of the working directory, the environment,
    /// the command line. Errors: <see cref="InvalidDataException"/> for a broken file, <see cref="FormatException"/>
    /// for a broken argument.</summary>
    public static IConfigurationRoot ReadConfiguration(string[] arguments)
    {
        var builder = new ConfigurationBuilder();
        builder.AddJsonFile(Path.Combine(AppContext.BaseDirectory, "appsettings.json"), optional: true);
        var local = Path.GetFullPath("appsettings.json");
        if (Path.GetDirectoryName(local) != Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory))
            builder.AddJsonFile(local, optional: true);
        return builder
            .AddEnvironmentVariables()
            .AddCommandLine([.. arguments.Select(one => one == "--demo" ? "--Demo=true" : one)])
            .Build();
    }
}
