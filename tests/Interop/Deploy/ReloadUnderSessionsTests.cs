using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Xunit.Abstractions;

namespace Gateway.Interop.Deploy;

/// <summary>The configuration is read again under node-opcua's sessions, with every kind of change, right and wrong, by
/// each trigger: no session is lost.</summary>
public sealed class ReloadUnderSessionsTests(ITestOutputHelper output)
{
    private const string SizeVariable = "RELOAD_CLIENTS";
    private const int ClientsByDefault = 20;

    private const string Users =
        """
        "Users": [
          {"Name": "eva", "Password": "horse", "Roles": ["Engineer"]},
          {"Name": "anna", "Password": "horse", "Roles": ["Operator"]}
        ]
        """;

    /// <summary>The file, and the number of errors in it.</summary>
    private static readonly (string Json, int Errors)[] Files =
    [
        ($$"""{ {{Users}}, "Limits": {"MaxSessions": 5000, "MaxSubscriptionsPerSession": 5} }""", 0),
        ($$"""{ {{Users}}, "Limits": {"MaxSessions": "many", "MaxSesions": 1} }""", 2),
        ($$"""{ {{Users}}, "Log": {"Level": "Debug", "Levels": {"Microsoft": "Error"} } }""", 0),
        ("{ \"Users\": [", 1),
        ($$"""{ {{Users}}, "Upstreams": [{"Name": "Press", "EndpointUrl": "opc.tcp://127.0.0.1:9"}] }""", 0),
        ($$"""{ {{Users}}, "Upstreams": [{"Name": "Press", "EndpointUrl": "opc.tcp://127.0.0.1:19"}] }""", 0),
        ($$"""{ {{Users}}, "Upstreams": [{"Name": "Press", "EndpointUrl": "http://press"}] }""", 1),
        ("""{ "Users": [{"Name": "eva", "Password": "horse", "Roles": ["Engineer"]}] }""", 0),
        ($$"""{ {{Users}}, "Anonymous": {"Roles": ["Operator"]} }""", 0),
        ($$"""{ {{Users}}, "Limits": {"MaxConnections": 900}, "Shutdown": {"GraceSeconds": 12} }""", 0),
        ($$"""{ {{Users}} }""", 0),
    ];

    /// <summary>More clients by hand: the number in RELOAD_CLIENTS.</summary>
    [PeerFact]
    public async Task Reload_EveryKindOfChange_NoSessionLost()
    {
        using TemporaryFolder folder = new();
        string file = Path.Combine(folder.Sub("configuration"), "gateway.json");
        await File.WriteAllTextAsync(file, Files[^1].Json);
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(
            folder, $"--Config:Path={file}", "--Pki:AutoTrust=true", "--Simulator:Tags=20",
            "--Simulator:ChangesPerSecond=200");
        using HttpClient engineer = Engineer(gateway);
        await using PeerProcess fleet = PeerProcess.Start("fleet.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { clients = Clients, items = 5 }));
        await fleet.WaitForAsync("flowing");
        string[] before = await SessionsAsync(engineer);
        Assert.Equal(Clients, before.Length);

        foreach ((string json, int errors) in Files)
            await ReloadAsync(engineer, file, json, errors);
        await File.WriteAllTextAsync(file, Files[0].Json);
        await gateway.WaitForLogAsync("read again (the file has changed)");
        if (await IgnoresHangUpAsync(gateway))
        {
            output.WriteLine("SIGHUP is not tried: the tests run below nohup, and so the gateway ignores it");
        }
        else
        {
            await HangUpAsync(gateway);
            await gateway.WaitForLogAsync("read again (SIGHUP)");
        }

        Assert.Equal(before, await SessionsAsync(engineer));
        await fleet.SendLineAsync("stop");
        JsonElement result = await fleet.ResultAsync();
        output.WriteLine($"{Files.Length + 2} reloads under {Clients} sessions: {result.GetRawText()}");
        Assert.Equal(0, result.GetProperty("mostLosses").GetInt32());
        Assert.Equal(0, result.GetProperty("terminations").GetInt32());
        Assert.Equal(0, result.GetProperty("bad").GetInt32());
    }

    private static int Clients => int.TryParse(
        Environment.GetEnvironmentVariable(SizeVariable), NumberStyles.None, CultureInfo.InvariantCulture, out int size)
        ? size
        : ClientsByDefault;

    private static HttpClient Engineer(GatewayProcess gateway)
    {
        HttpClient client = new() { BaseAddress = new Uri($"http://127.0.0.1:{gateway.HttpPort}/api/v1/") };
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
            "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes("eva:horse")));
        return client;
    }

    private static async Task ReloadAsync(HttpClient engineer, string file, string json, int errors)
    {
        await File.WriteAllTextAsync(file, json);
        using HttpResponseMessage answer = await engineer.PostAsync(new Uri("config/reload", UriKind.Relative), null);
        string text = await answer.Content.ReadAsStringAsync();
        using JsonDocument reload = JsonDocument.Parse(text);
        Assert.True((int)answer.StatusCode == (errors == 0 ? 200 : 409), $"{json}: {text}");
        Assert.Equal(errors, reload.RootElement.GetProperty("errors").GetArrayLength());
        Assert.False(reload.RootElement.TryGetProperty("faults", out _), text);
    }

    /// <summary>A process inherits that, and the runtime respects it. The lowest bit is SIGHUP.</summary>
    private static async Task<bool> IgnoresHangUpAsync(GatewayProcess gateway)
    {
        string[] status = await File.ReadAllLinesAsync($"/proc/{gateway.ProcessId}/status");
        string ignored = status.First(static line => line.StartsWith("SigIgn:", StringComparison.Ordinal))[7..].Trim();
        return (ulong.Parse(ignored, NumberStyles.HexNumber, CultureInfo.InvariantCulture) & 1) != 0;
    }

    private static async Task HangUpAsync(GatewayProcess gateway)
    {
        string pid = gateway.ProcessId.ToString(CultureInfo.InvariantCulture);
        using Process kill = Process.Start("kill", ["-HUP", pid]);
        await kill.WaitForExitAsync();
        Assert.Equal(0, kill.ExitCode);
    }

    private static async Task<string[]> SessionsAsync(HttpClient engineer)
    {
        List<string> ids = [];
        string cursor = "";
        do
        {
            using JsonDocument page = JsonDocument.Parse(await engineer.GetStringAsync(
                new Uri($"sessions?fields=id&limit=1000{cursor}", UriKind.Relative)));
            ids.AddRange(page.RootElement.GetProperty("sessions").EnumerateArray()
                .Select(one => one.GetProperty("id").GetString()!));
            cursor = page.RootElement.TryGetProperty("next", out JsonElement next) ? $"&cursor={next.GetString()}" : "";
        }
        while (cursor.Length > 0);
        return [.. ids.Order(StringComparer.Ordinal)];
    }
}
