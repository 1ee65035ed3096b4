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
    "--Users:0:Name=operator", "--Users:0:Password=correct horse", "--Users:0:Roles:0=Operator",
    "--Users:1:Name=engineer", "--Users:1:Password=slide rule", "--Users:1:Roles:0=Engineer",
    "--Users:2:Name=admin", "--Users:2:Password=staple", "--Users:2:Roles:0=SecurityAdmin",
    "--Limits:MaxSubscriptionsPerSession=9",
    $"--Limits:MaxPublishRequestsPerSession={MaxPublishRequestsPerSession}")
{
    public const string MaxPublishRequestsPerSession = "10";

    private readonly Dictionary<string, Task<JsonElement>> scripts = [];

    /// <summary>The options of a client that is another application.</summary>
    private object? other;

    protected override Task PrepareAsync()
    {
        const string uri = "urn:interop:other";
        TestCertificate certificate = TestCertificate.ForApplication(Folder.Path, uri);
        other = new
        {
            applicationUri = uri,
            certificateFile = certificate.CertificateFile,
            privateKeyFile = certificate.PrivateKeyFile,
        };
        return Task.CompletedTask;
    }

    internal async Task<CaseResult> CaseAsync(string script, string name)
    {
        if (!scripts.TryGetValue(script, out Task<JsonElement>? run))
            scripts[script] = run = RunAsync(script, new { other });
        return new(name, await run);
    }
}
