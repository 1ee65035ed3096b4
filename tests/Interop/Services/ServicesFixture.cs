using System.Text.Json;
using Gateway.Interop.Gateways;

namespace Gateway.Interop.Services;

/// <summary>
/// A demo gateway with short lifetimes and low caps, and what the case scripts told of it. A script runs once, all its
/// cases one after the other, when the first of them is asked for.
/// </summary>
public sealed class ServicesFixture() : GatewayFixture(
    "--demo", "--Simulator:Tags=100", "--Simulator:ChangesPerSecond=100",
    "--Limits:MinSubscriptionLifetimeMs=500", "--Limits:MinSessionTimeout=00:00:01",
    $"--Limits:MaxPublishRequestsPerSession={MaxPublishRequestsPerSession}")
{
    public const string MaxPublishRequestsPerSession = "10";

    private readonly Dictionary<string, Task<JsonElement>> scripts = [];

    internal async Task<CaseResult> CaseAsync(string script, string name)
    {
        if (!scripts.TryGetValue(script, out Task<JsonElement>? run))
            scripts[script] = run = RunAsync(script, new { });
        return new(name, await run);
    }
}
