using System.CommandLine;

namespace Gateway.Loadtest;

/// <summary>The options of every scenario: which server, how secured, how fast, where the results go.</summary>
internal static class CommonOptions
{
    public static readonly Option<string> Url = new("--url")
    {
        Description = "Server to measure, opc.tcp://host:port. Without it a gateway is started for the run.",
    };

    public static readonly Option<bool> Remote = new("--remote")
    {
        Description = "Allow a --url that is not on this machine. Load on a server that runs a plant is your risk.",
    };

    public static readonly Option<int> ServerPid = new("--server-pid")
    {
        Description = "Process id of the server behind --url, to measure its CPU and memory; without it they are n/a.",
    };

    public static readonly Option<string> Gateway = new("--gateway")
    {
        Description = "Gateway.Gateway.dll to start (--demo, free loopback ports, a plant as the scenario needs it). " +
            "Default: the build beside this one.",
    };

    public static readonly Option<string[]> GatewayArguments = new("--gateway-arg")
    {
        Description = "One more key for the started gateway: --gateway-arg=--Limits:MaxSessions=20000. Repeatable.",
        Arity = ArgumentArity.OneOrMore,
    };

    public static readonly Option<string> Policy = Text(
        "--policy", "Basic256Sha256", "None, Basic256Sha256, Aes128_Sha256_RsaOaep or Aes256_Sha256_RsaPss.");

    public static readonly Option<string> Mode = Text("--mode", "SignAndEncrypt", "None, Sign or SignAndEncrypt.");

    public static readonly Option<string> User = new("--user") { Description = "User name; without it, anonymous." };

    public static readonly Option<string> Password = new("--password")
    {
        Description = "The user's password; the reports do not show it.",
    };

    public static readonly Option<string> Tag = Text(
        "--tag",
        "nsu=urn:gateway:simulator;i={0}",
        "Node id of a Double tag that counts up by one; {0} is its number.");

    public static readonly Option<int> FirstTag = new("--first-tag")
    {
        Description = "Number of the first tag.",
        DefaultValueFactory = _ => 1000,
    };

    public static readonly Option<int> Concurrency = new("--concurrency")
    {
        Description = "Connections, sessions or subscriptions being opened at a time.",
        DefaultValueFactory = _ => 32,
    };

    public static readonly Option<int> SourceAddresses = new("--source-addresses")
    {
        Description = "Loopback addresses (127.0.0.1 upwards) to connect from; 0: one for each 8,000 connections.",
    };

    public static readonly Option<string> Out = Text(
        "--out", "loadtest-results", "Folder of the JSON and the Markdown.");

    public static IReadOnlyList<Option> All { get; } =
    [
        Url, Remote, ServerPid, Gateway, GatewayArguments, Policy, Mode, User, Password, Tag, FirstTag, Concurrency,
        SourceAddresses, Out,
    ];

    public static RunOptions Read(ScenarioValues values) => new()
    {
        Url = values.Get(Url),
        IsRemoteAllowed = values.Get(Remote),
        GatewayDll = values.Get(Url) is null ? values.Get(Gateway) ?? DefaultGateway() : values.Get(Gateway),
        GatewayArguments = values.Get(GatewayArguments) ?? [],
        ServerPid = values.Get(ServerPid),
        Policy = values.Get(Policy),
        Mode = values.Get(Mode),
        User = values.Get(User),
        Password = values.Get(Password),
        TagFormat = values.Get(Tag),
        FirstTag = values.Get(FirstTag),
        Concurrency = values.Get(Concurrency),
        SourceAddresses = values.Get(SourceAddresses),
        OutputFolder = values.Get(Out),
    };

    /// <summary>The gateway of the same build: loadtest/bin/Release/net10.0 →
    /// src/Gateway/bin/Release/net10.0.</summary>
    private static string DefaultGateway()
    {
        var own = new DirectoryInfo(AppContext.BaseDirectory);
        var root = own.Parent?.Parent?.Parent?.Parent?.FullName ?? own.FullName;
        var configuration = own.Parent?.Name ?? string.Empty;
        return Path.Combine(root, "src", "Gateway", "bin", configuration, own.Name, "Gateway.Gateway.dll");
    }

    private static Option<string> Text(string name, string value, string description) => new(name)
    {
        Description = description,
        DefaultValueFactory = _ => value,
    };
}
