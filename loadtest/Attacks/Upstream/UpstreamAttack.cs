using System.Text.Json;
using Gateway.Loadtest.Peers.Hostile;

namespace Gateway.Loadtest.Attacks.Upstream;

/// <summary>Hostile servers in the driver, which the gateway is configured to have as upstreams. They do nothing before
/// the attack begins and refuse sessions once it is over.</summary>
internal abstract class UpstreamAttack : Attack
{
    /// <summary>The gateway tries again at most so much later.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(200);

    private readonly List<HostileScript> _scripts = [];
    private readonly List<HostileServer> _servers = [];

    protected IReadOnlyList<HostileServer> Servers => _servers;

    public override async ValueTask DisposeAsync()
    {
        await LeaveAsync();
        await base.DisposeAsync();
    }

    protected async Task AddAsync(HostileScript script)
    {
        script.IsArmed = false;
        _scripts.Add(script);
        _servers.Add(await HostileServer.StartAsync(script));
    }

    protected static string[] Configure(int number, string name, string url, params string[] keys) =>
    [
        $"--Upstreams:{number}:Name={name}", $"--Upstreams:{number}:EndpointUrl={url}",
        .. keys.Select(key => $"--Upstreams:{number}:{key}"),
    ];

    protected void Arm() => Arm(true);

    /// <summary>The attacker leaves: nothing listens there any more. Ask the servers before.</summary>
    protected async Task LeaveAsync()
    {
        Arm(false);
        foreach (var server in _servers)
            await server.DisposeAsync();
        _servers.Clear();
    }

    /// <summary>Until it holds or the patience is over.</summary>
    protected static async Task<bool> AwaitAsync(AttackContext context, Func<Task<bool>> condition)
    {
        var since = TimeProvider.System.GetTimestamp();
        while (!await condition())
        {
            if (TimeProvider.System.GetElapsedTime(since) > Patience)
                return false;
            await Task.Delay(Look, context.Cancellation);
        }

        return true;
    }

    /// <summary>The upstreams as <c>/api/v1/upstreams</c> tells of them: name, state, and what bounds were met. Empty:
    /// there is no such path.</summary>
    protected static async Task<(string Name, string State, string[] Bounds)[]> ReportAsync(AttackContext context)
    {
        using var http = new HttpClient();
        using var answer = await http.GetAsync(new Uri(context.HttpUrl, "/api/v1/upstreams"), context.Cancellation);
        if (!answer.IsSuccessStatusCode)
            return [];
        using var document = JsonDocument.Parse(await answer.Content.ReadAsStringAsync(context.Cancellation));
        return [.. document.RootElement.GetProperty("upstreams").EnumerateArray().Select(one => (
            one.GetProperty("name").GetString()!,
            one.GetProperty("state").GetString()!,
            one.GetProperty("bounds").EnumerateArray()
                .Select(met => met.GetProperty("limit").GetString()!).ToArray()))];
    }

    private void Arm(bool isArmed)
    {
        foreach (var script in _scripts)
            script.IsArmed = isArmed;
    }
}
