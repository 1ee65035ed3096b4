using System.Diagnostics.Metrics;
using Gateway.Client;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Uadp.Security;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.KeyServices;

/// <summary>The SecurityGroups whose keys come from services, each once for all that use it, and their instruments in
/// the meter <c>Gateway.PubSub.Keys</c>. A group is asked for until the end, also when nothing names it any more.
/// Threads: any.</summary>
/// <param name="services">In the order in which they are asked.</param>
/// <param name="limits">On how often they are asked.</param>
/// <param name="makeClient">Made with the first group; this disposes it.</param>
/// <param name="time">The clock.</param>
/// <param name="loggers">Of the host.</param>
internal sealed class SecurityKeyServices(
    IReadOnlyList<KeyServiceOptions> services, PubSubLimits limits, Func<UaClient> makeClient, TimeProvider time,
    ILoggerFactory loggers)
    : IKeyServices, IDisposable
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, ServiceSecurityKeys> _groups = new(StringComparer.Ordinal);
    private UaClient? _client;
    private Meter? _meter;

    public ISecurityKeySource SourceOf(string securityGroup)
    {
        lock (_lock)
        {
            _client ??= makeClient();
            _meter ??= Measure();
            if (!_groups.TryGetValue(securityGroup, out var keys))
            {
                keys = new ServiceSecurityKeys(
                    securityGroup, services, limits, new SecurityKeyClient(_client), time,
                    loggers.CreateLogger<ServiceSecurityKeys>());
                _groups.Add(securityGroup, keys);
            }

            return keys;
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            foreach (var group in _groups.Values)
                group.Dispose();
            _groups.Clear();
            _meter?.Dispose();
            _client?.Dispose();
        }
    }

    private ServiceSecurityKeys[] Groups()
    {
        lock (_lock)
            return [.. _groups.Values];
    }

    private Meter Measure()
    {
        var meter = new Meter("Gateway.PubSub.Keys");
        meter.CreateObservableCounter(
            "gateway_pubsub_key_fetches_total",
            () => Groups().Select(static one => new Measurement<long>(one.Fetches, Label(one))), null,
            "Answers of Security Key Services with keys.");
        meter.CreateObservableCounter(
            "gateway_pubsub_key_failures_total",
            () => Groups().SelectMany(static one => Enum.GetValues<KeyServiceProblem>().Select(
                problem => new Measurement<long>(
                    one.Of(problem), Label(one), new KeyValuePair<string, object?>("problem", problem.ToString())))),
            null, "Questions to Security Key Services that brought no keys.");
        return meter;
    }

    private static KeyValuePair<string, object?> Label(ServiceSecurityKeys one) => new("group", one.SecurityGroup);
}
