using System.Reflection;
using Gateway.Admission;
using Gateway.Admission.Explain;
using Gateway.Host.Tokens;
using Gateway.Publish;
using Gateway.Rest;
using Gateway.Server;
using Gateway.Sources.OpcUa;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;

namespace Gateway.Host.Configuration;

/// <summary>All limits as configured. Where a stage enforces less, <see cref="AdmissionExplainer"/> shows that and why.
/// </summary>
internal sealed class LimitTable(
    TransportLimits transport, HttpLimits http, RestLimits rest, ServerLimits server, PublishLimits publishing,
    AdmissionLimits admission, LogLimits log, UpstreamLimits upstreams, TokenLimits tokens)
{
    /// <summary>By the key below <c>Limits:</c>.</summary>
    public IReadOnlyDictionary<string, object> ByName { get; } =
        Read(transport, http, rest, server, publishing, admission, log, upstreams, tokens);

    private static Dictionary<string, object> Read(params object[] owners)
    {
        var table = new Dictionary<string, object>(StringComparer.Ordinal);
        foreach (var owner in owners)
        {
            foreach (var property in owner.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance))
            {
                if (property.SetMethod is not null && property.GetValue(owner) is { } value)
                    table[property.Name] = value;
            }
        }
        return table;
    }
}
