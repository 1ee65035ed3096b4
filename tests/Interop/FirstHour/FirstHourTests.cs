using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.FirstHour;

/// <summary>The README's steps in its order, as it words them, in a clean home directory.</summary>
public sealed partial class FirstHourTests : IDisposable
{
    private readonly CleanHome home = new();

    public void Dispose() => home.Dispose();

    /// <summary>dotnet run itself, with a file where the command is typed.</summary>
    [Fact]
    public async Task Start_ByTheReadmesCommand_ReadsTheFileAndMakesThePkiWhereItWasTyped()
    {
        string file = Path.Combine(home.Clone, "appsettings.json");
        File.WriteAllText(file, """{ "OpcUa": { "ApplicationName": "First Hour" } }""");

        await using GatewayProcess gateway =
            await home.StartAsync(Readme.Command(Readme.RunCommand, "--demo"), byRun: true);

        Assert.Matches(Ready(), gateway.Output);
        Assert.Contains($"Configuration read from {file}", gateway.Output);
        Assert.Contains($"The PKI folder is {home.Pki}", gateway.Output);
        Assert.Contains("DEMO MODE", gateway.Output);
        string made = Assert.Single(Directory.GetFiles(Path.Combine(home.Pki, "own", "certs")));
        Assert.StartsWith("First_Hour", Path.GetFileName(made), StringComparison.Ordinal);
        Assert.False(Directory.Exists(Path.Combine(home.Clone, "src", "Gateway", "pki")));
        using HttpClient http = new();
        foreach (string path in new[] { "livez", "readyz", "metrics", "api/v1/upstreams", "api/v1/upstreams/health" })
            Assert.Equal(
                HttpStatusCode.OK, (await http.GetAsync($"http://localhost:{home.HttpPort}/{path}")).StatusCode);
    }

    /// <summary>The two questions at the top of the page, and the answers below them.</summary>
    [Theory]
    [InlineData("curl http://localhost:8080/readyz")]
    [InlineData("curl http://localhost:8080/api/v1/admission")]
    public async Task Start_WithDemo_AnswersAsTheTranscriptSays(string command)
    {
        await using GatewayProcess gateway = await home.StartAsync(Readme.Command(Readme.RunCommand, "--demo"));

        (int code, string output, string error) = await home.RunAsync(command);

        Assert.True(code == 0, error);
        Assert.Matches(Readme.Answer(command), output);
    }

    /// <summary>A controller that is not there yet, and the README's questions about it, each with a login.</summary>
    [Fact]
    public async Task Upstream_ByTheReadmesCommand_IsListedAndTheGatewayIsReady()
    {
        File.WriteAllText(
            Path.Combine(home.Clone, "appsettings.json"),
            """{ "Users": [ { "Name": "anna", "Password": "secret" } ] }""");
        await using GatewayProcess gateway = await home.StartAsync(Readme.Command(Readme.RunCommand, "=Press"));

        JsonElement press = Assert.Single(
            (await AskAsync("curl -u", "/api/v1/upstreams")).GetProperty("upstreams").EnumerateArray());
        JsonElement admission = await AskAsync("curl -u", "/api/v1/admission ");

        Assert.Equal("Press", press.GetProperty("name").GetString());
        Assert.Equal("opc.tcp://192.168.0.10:4840", press.GetProperty("endpointUrl").GetString());
        Assert.NotEqual("connected", press.GetProperty("state").GetString());
        Assert.Matches(Readme.Answer("curl http://localhost:8080/api/v1/admission"), admission.GetRawText());
        Assert.Matches(
            Readme.Answer("curl http://localhost:8080/readyz"),
            (await home.RunAsync("curl http://localhost:8080/readyz")).Output);
    }

    [Fact]
    public async Task Verbs_VersionHelpHash_AnswerAndEnd()
    {
        var version = await home.RunAsync(Readme.RunCommand + " --version");
        var help = await home.RunAsync(Readme.RunCommand + " --help");
        var hash = await home.RunAsync(Readme.Command("--hash-password", "echo"));

        Assert.Equal((0, 0, 0), (version.ExitCode, help.ExitCode, hash.ExitCode));
        Assert.Matches(@"^\d+\.\d+\.\d+\S*\n$", version.Output);
        Assert.Contains("\nOpcUa:Port = 4840\n", help.Output);
        Assert.Contains("\nLimits:MaxSessions = 12000\n", help.Output);
        Assert.StartsWith("pbkdf2-sha256$", hash.Output, StringComparison.Ordinal);
    }

    /// <summary>The namespaces, tags and methods that the README promises.</summary>
    [PeerFact]
    public async Task FirstSteps_WithDemo_TheSimulatedPlantIsAsDescribed()
    {
        await using GatewayProcess gateway = await home.StartAsync(Readme.Command(Readme.RunCommand, "--demo"));
        TestCertificate client = TestCertificate.ForApplication(home.Folder.Path, "urn:interop:client");
        string url = $"opc.tcp://localhost:{home.Port}";

        JsonElement access = await PeerProcess.RunAsync("access.js", PeerArguments.Create(
            home.Folder, client, url, new
            {
                policy = "None",
                mode = "None",
                writes = new[] { new { uri = "", id = "ns=2;s=Int32", type = "Int32", value = 5 } },
                reads = new[]
                {
                    new { uri = "", id = "ns=2;i=1000" }, new { uri = "", id = "ns=2;s=Int32" },
                    new { uri = "", id = "ns=2;s=LocalizedText[]" },
                },
            }));
        JsonElement call = await PeerProcess.RunAsync(
            "call.js", PeerArguments.Create(home.Folder, client, url, new { }));

        Assert.Equal("Good", access.GetProperty("written")[0].GetString());
        Assert.All(
            access.GetProperty("values").EnumerateArray(),
            value => Assert.Equal("Good", value.GetProperty("status").GetString()));
        Assert.Equal(5, access.GetProperty("values")[1].GetProperty("value").GetInt32());
        Assert.Equal("Good", call.GetProperty("add").GetProperty("status").GetString());
    }

    /// <summary>Without --demo: refused, found in the log and in the list of decisions, trusted by a move, with
    /// password and with the certificate of the README's openssl line.</summary>
    [PeerFact]
    public async Task Security_FromTheFirstRefusalToAUserWithACertificate_AsTheReadmeSays()
    {
        string hash = (await home.RunAsync(Readme.Command("--hash-password", "echo"))).Output.Trim();
        File.WriteAllText(Path.Combine(home.Clone, "appsettings.json"),
            $$"""
            {
              "Users": [
                { "Name": "anna", "Password": "secret" },
                { "Name": "bert", "PasswordHash": "{{hash}}", "Roles": "Operator" }
              ]
            }
            """);
        await using GatewayProcess gateway = await home.StartAsync(Readme.RunCommand);
        TestCertificate client = TestCertificate.ForApplication(home.Folder.Path, "urn:interop:client");

        JsonElement stranger = await AttemptAsync(client, new { name = "stranger", kind = "Anonymous" });

        Assert.False(stranger.GetProperty("ok").GetBoolean());
        string kept = Assert.Single(Directory.GetFiles(Path.Combine(home.Pki, "rejected", "certs"), "*.der"));
        await gateway.WaitForLogAsync(kept);
        JsonElement refused = await DecisionAsync("certificate_refused");
        Assert.Contains(kept, refused.GetProperty("detail").GetString());
        Assert.Contains("trusted/certs", refused.GetProperty("advice").GetString());

        File.Move(kept, Path.Combine(home.Pki, "trusted", "certs", Path.GetFileName(kept)));
        JsonElement writer = await AttemptAsync(client, new
        {
            name = "bert",
            kind = "UserName",
            userName = "bert",
            password = "password",
            write = "ns=2;s=Int32",
        });
        Assert.True(writer.GetProperty("ok").GetBoolean(), writer + gateway.Output);
        Assert.Equal("Good", writer.GetProperty("write").GetString());

        JsonElement wrong = await AttemptAsync(client, new
        {
            name = "wrong",
            kind = "UserName",
            userName = "anna",
            password = "horse",
        });
        Assert.False(wrong.GetProperty("ok").GetBoolean());
        Assert.NotEmpty((await DecisionAsync("credentials_refused")).GetProperty("advice").GetString()!);

        await CertificateUserAsync(client, gateway);
    }

    private async Task CertificateUserAsync(TestCertificate client, GatewayProcess gateway)
    {
        Assert.Equal(0, (await home.RunAsync(Readme.Command("openssl req", "CN=anna"))).ExitCode);
        object anna = new
        {
            name = "anna",
            kind = "Certificate",
            certificateFile = Path.Combine(home.Clone, "anna.pem"),
            privateKeyFile = Path.Combine(home.Clone, "anna.key"),
            write = "ns=2;s=Int32",
        };
        JsonElement before = await AttemptAsync(client, anna);
        Assert.False(before.GetProperty("ok").GetBoolean());
        string kept = Assert.Single(Directory.GetFiles(Path.Combine(home.Pki, "rejected", "certs"), "*.der"));
        await gateway.WaitForLogAsync(kept);

        Assert.Equal(0, (await home.RunAsync(Readme.Command("openssl x509", "trustedUser"))).ExitCode);
        JsonElement after = await AttemptAsync(client, anna);
        Assert.True(after.GetProperty("ok").GetBoolean(), after + gateway.Output);

        // An Observer: the refused write names what it needs, in the log and in the list.
        Assert.Equal("BadUserAccessDenied", after.GetProperty("write").GetString());
        await gateway.WaitForLogAsync("needs the role Operator");
        JsonElement denied = await DecisionAsync("access_denied");
        Assert.Contains("needs the role Operator", denied.GetProperty("detail").GetString());
        Assert.NotEmpty(denied.GetProperty("advice").GetString()!);
    }

    private async Task<JsonElement> AttemptAsync(TestCertificate client, object identity) =>
        (await PeerProcess.RunAsync("users.js", PeerArguments.Create(
            home.Folder, client, $"opc.tcp://localhost:{home.Port}", new { cases = new[] { identity } })))
            .GetProperty("attempts")[0];

    /// <summary>The newest with that reason, asked for by the README's curl.</summary>
    private async Task<JsonElement> DecisionAsync(string reason) =>
        (await AskAsync("curl", "/api/v1/admission/decisions")).GetProperty("decisions").EnumerateArray()
            .First(one => one.GetProperty("reason").GetString() == reason);

    /// <summary>The answer to the README's command with these parts.</summary>
    private async Task<JsonElement> AskAsync(params string[] parts)
    {
        (int code, string output, string error) = await home.RunAsync(Readme.Command(parts));
        Assert.True(code == 0, error);
        return JsonDocument.Parse(output).RootElement;
    }

    [GeneratedRegex(@"Gateway ready: opc\.tcp://\S+:\d+ http://127\.0\.0\.1:\d+")]
    private static partial Regex Ready();
}
