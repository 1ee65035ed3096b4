using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Gateway.Host;
using Gateway.Loadtest.Machine;

namespace Gateway.Tests.Hosting;

/// <summary>What the program writes when it cannot start, to the letter: scripts and people look for it.</summary>
public sealed class StartErrorTests : IDisposable
{
    private const string Policies = "None, Basic256Sha256, Aes128_Sha256_RsaOaep, Aes256_Sha256_RsaPss";

    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Run_OneWrongValue_ItsKeyOnALineOfItsOwn() => Assert.Equal(
        "The gateway cannot start: the configuration is wrong in one place:\n"
            + "  OpcUa:Port: 'x' is no whole number\n",
        await RunAsync("--OpcUa:Port=x"));

    [Fact]
    public async Task Run_WrongValuesOfEverySection_AllOfThemAtOnce() => Assert.Equal(
        $$"""
        The gateway cannot start: the configuration is wrong in 20 places:
          Argument 1 belongs to no key: write --Key=Value, with quotes around a value that has spaces
          OpcUa:EndpointUrls: 'http://x' is no opc.tcp:// or opc.wss:// or opc.ws:// address
          OpcUa:SecurityPolicies: 'Basic1' is not offered; known are {{Policies}}
          OpcUa:ApplicationName: is empty
          Http:Address: 'here' is no IP address; write 'any' for all addresses
          Http:Port: is the same as OpcUa:Port
          Pki:AutoTrust: 'maybe' is neither true nor false
          Pki:MaxRejectedCertificates: 0 is not between 1 and 10000
          Anonymous:Roles: 'King' is no role; roles are Observer, Operator, Engineer, SecurityAdmin
          Users:0: has none of PasswordHash, Password and CertificateThumbprint
          Upstreams:0:EndpointUrl: is missing
          NodeSets:Path: there is no folder '/nowhere'
          Simulator:Tags: -1 is not between 0 and 1000000
          Limits:HelloDeadline: '5' has no unit: write 00:00:05 for 5 seconds
          Limits:MaxHttpHeaders: 'many' is no whole number
          Limits:MaxSessions: 0 is not more than 0
          Admission:Enabled: 'x' is neither true nor false
          Shutdown:AnnounceSeconds: is not less than Shutdown:GraceSeconds
          Log:Format: 'xml' is neither simple nor json
          Limit: is no key of the gateway (the command line); did you mean Limits?

        """,
        await RunAsync(
            "stray", "--Anonymous:Roles=King", "--OpcUa:EndpointUrls=http://x", "--OpcUa:SecurityPolicies=Basic1",
            "--OpcUa:ApplicationName=", "--Http:Address=here", "--Pki:AutoTrust=maybe",
            "--Pki:MaxRejectedCertificates=0", "--Users:0:Name=anna", "--Upstreams:0:Name=A",
            "--NodeSets:Path=/nowhere", "--Simulator:Tags=-1", "--Limits:HelloDeadline=5",
            "--Limits:MaxHttpHeaders=many", "--Limits:MaxSessions=0", "--Admission:Enabled=x", "--Log:Format=xml",
            "--Shutdown:AnnounceSeconds=20", "--Http:Port=4840", "--Limit=1"));

    [Fact]
    public async Task Run_PkiThatCannotBeWritten_TheKeyAndTheFolder()
    {
        var pki = Path.Combine(_folder, "pki");
        Directory.CreateDirectory(pki);
        File.WriteAllText(Path.Combine(pki, "own"), "");

        Assert.StartsWith(
            $"The gateway cannot start: Pki:Path: '{pki}' cannot be used: ", await RunAsync($"--Pki:Path={pki}"),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_PubSubStoreThatCannotBeUsed_TheKeyAndTheFolder()
    {
        var store = Path.Combine(_folder, "store");
        File.WriteAllText(store, "");

        Assert.StartsWith(
            $"The gateway cannot start: PubSub:Connections:0:StorePath: The directory {store} of the store cannot be "
                + "used: ",
            await RunAsync([.. PubSub("mqtt://127.0.0.1:1"), $"--PubSub:Connections:0:StorePath={store}"]),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_PubSubKeysThatAreMissing_TheKeyAndTheFile() => Assert.StartsWith(
        $"The gateway cannot start: PubSub:Connections:0:WriterGroups:0:KeysPath: '{_folder}/none': ",
        await RunAsync(
            [
                .. PubSub("opc.udp://127.0.0.1"), "--PubSub:Connections:0:WriterGroups:0:Encoding=uadp",
                "--PubSub:Connections:0:WriterGroups:0:SecurityMode=Sign",
                $"--PubSub:Connections:0:WriterGroups:0:KeysPath={_folder}/none",
            ]),
        StringComparison.Ordinal);

    private string[] PubSub(string address)
    {
        const string Group = "--PubSub:Connections:0:WriterGroups:0:";
        return
        [
            "--demo", $"--Pki:Path={_folder}", "--OpcUa:Address=127.0.0.1", "--Simulator:Tags=1",
            $"--OpcUa:Port={FreePort.Next()}", $"--Http:Port={FreePort.Next()}", "--PubSub:DataSets:0:Name=tags",
            "--PubSub:DataSets:0:Nodes:0=ns=2;i=1000", "--PubSub:Connections:0:Name=broker",
            $"--PubSub:Connections:0:Address={address}", Group + "Name=g", Group + "WriterGroupId=1",
            Group + "DataSetWriters:0:Name=w", Group + "DataSetWriters:0:DataSetWriterId=1",
            Group + "DataSetWriters:0:DataSet=tags",
        ];
    }

    [Theory]
    [InlineData("OpcUa", "UA-TCP")]
    [InlineData("Http", "HTTP")]
    public async Task Run_PortInUse_TheKeyAndThePort(string section, string door)
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        using var free = new TcpListener(IPAddress.Loopback, 0);
        free.Start();
        var port = ((IPEndPoint)taken.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);
        var other = ((IPEndPoint)free.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);
        free.Stop();

        var error = await RunAsync(
            $"--Pki:Path={_folder}", "--OpcUa:Address=127.0.0.1", "--Simulator:Tags=1",
            $"--OpcUa:Port={(section == "OpcUa" ? port : other)}", $"--Http:Port={(section == "Http" ? port : other)}");

        Assert.Equal(
            $"The gateway cannot start: {section}:Port: '{port}' is in use: another program listens there on "
                + $"127.0.0.1. Stop it, or choose another port for {door}\n",
            error);
    }

    private static async Task<string> RunAsync(params string[] arguments)
    {
        using var errors = new StringWriter { NewLine = "\n" };
        Assert.Equal(1, await Program.RunAsync(arguments, errors));
        return errors.ToString();
    }
}
