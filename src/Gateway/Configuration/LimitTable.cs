using System.Collections.Concurrent;
using System.Reflection;
using Gateway.Admission;
using Gateway.Admission.Explain;
using Gateway.Host.Tokens;
using Gateway.Publish;
using Gateway.PubSub;
using Gateway.Rest;
using Gateway.Server;
using Gateway.Sources.OpcUa;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.Extensions.Options;

namespace Gateway.Host.Configuration;

/// <summary>All limits, each as configured and as in force: one part may allow less than another was configured to.
/// Where a stage of admission enforces less, <see cref="AdmissionExplainer"/> shows that and why.</summary>
internal sealed class LimitTable
{
    private static readonly Dictionary<Type, string> Parts = new()
    {
        [typeof(TransportLimits)] = "transport",
        [typeof(HttpLimits)] = "http",
        [typeof(RestLimits)] = "rest",
        [typeof(ServerLimits)] = "server",
        [typeof(PublishLimits)] = "publish",
        [typeof(AdmissionLimits)] = "admission",
        [typeof(LogLimits)] = "log",
        [typeof(UpstreamLimits)] = "upstream",
        [typeof(TokenLimits)] = "tokens",
        [typeof(PubSubLimits)] = "pubsub",
        [typeof(OtlpLimits)] = "otlp",
    };

    /// <summary>The records of limits: each property of theirs that can be set is a key.</summary>
    public static IEnumerable<Type> Records => Parts.Keys;

    private readonly ConcurrentDictionary<string, object> _byName;
    private readonly ConcurrentDictionary<string, object> _inForce;

    /// <param name="transport">As configured, as all but the next one.</param>
    /// <param name="server">Those in force: no request is larger than a message.</param>
    /// <param name="configured">The server's as configured.</param>
    public LimitTable(
        TransportLimits transport, HttpLimits http, RestLimits rest, ServerLimits server,
        IOptions<ServerLimits> configured, PublishLimits publishing, AdmissionLimits admission, LogLimits log,
        UpstreamLimits upstreams, TokenLimits tokens, PubSubLimits pubSub, OtlpLimits otlp)
    {
        object[] given =
        [
            transport, http, rest, configured.Value, publishing, admission, log, upstreams, tokens, pubSub,
            otlp,
        ];
        _byName = new(Read(given, static (property, owner) => property.GetValue(owner)), StringComparer.Ordinal);
        Defaults = Read(given, static (property, owner) => property.GetValue(
            Activator.CreateInstance(owner.GetType())));
        PartOf = Read(given, static (_, owner) => Parts[owner.GetType()])
            .ToDictionary(static one => one.Key, static one => (string)one.Value, StringComparer.Ordinal);
        _inForce = new(ByName, StringComparer.Ordinal)
        {
            [nameof(ServerLimits.MaxRequestMessageSizeBytes)] = server.MaxRequestMessageSizeBytes,
        };
    }

    /// <summary>As configured, by the key below <c>Limits:</c>.</summary>
    public IReadOnlyDictionary<string, object> ByName => _byName;

    public IReadOnlyDictionary<string, object> InForce => _inForce;

    /// <summary>A limit has another value from now on.</summary>
    public void Set(string name, object value) => _inForce[name] = _byName[name] = value;

    public IReadOnlyDictionary<string, object> Defaults { get; }

    /// <summary>The part that enforces it.</summary>
    public IReadOnlyDictionary<string, string> PartOf { get; }

    private static Dictionary<string, object> Read(object[] owners, Func<PropertyInfo, object, object?> read)
    {
        var table = new Dictionary<string, object>(StringComparer.Ordinal);
        foreach (var owner in owners)
        {
            foreach (var property in owner.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance))
            {
                if (property.SetMethod is not null && read(property, owner) is { } value)
                    table[property.Name] = value;
            }
        }
        return table;
    }
}
