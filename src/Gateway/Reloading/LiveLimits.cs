using System.Reflection;
using Gateway.Admission;
using Gateway.Admission.Explain;
using Gateway.Host.Configuration;
using Gateway.Operations;
using Gateway.Publish;
using Gateway.Rest;
using Gateway.Server;
using Gateway.Sources.OpcUa;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.Extensions.Options;

namespace Gateway.Host.Reloading;

/// <summary>Limits that change while the gateway runs. Every part holds the one object of its limits, and looks at a
/// number when it needs it; the numbers are at most eight bytes, so no reader sees half of one. A request that needs
/// several which belong together takes those of one moment (<see cref="ServerLimits.Now"/>). A holder that is above a
/// new limit keeps what it has, and gets no more.</summary>
internal sealed class LiveLimits(
    TransportLimits transport, HttpLimits http, RestLimits rest, ServerLimits server,
    IOptions<ServerLimits> configured, OperationLimits operations, PublishLimits publishing,
    AdmissionLimits admission, LogLimits log, UpstreamLimits upstreams, LimitTable table,
    AdmissionExplainer explainer, PublishEngine engine, GatewayServer gateway) : ILivePart
{
    public IReadOnlyList<string> Sections { get; } = [LimitsReader.Section];

    public ValueTask ApplyAsync(GatewayOptions next, CancellationToken cancellation)
    {
        // From here on requests that need several take the numbers of before, until all have changed.
        _ = (server.Now, publishing.Now);
        Copy(next.Get<TransportLimits>(), transport);
        Copy(next.Get<HttpLimits>(), http);
        Copy(next.Get<RestLimits>(), rest);
        Copy(next.Get<ServerLimits>(), configured.Value);
        Copy(next.Get<ServerLimits>(), server);
        Copy(next.Get<ServerLimits>(), operations);
        Copy(next.Get<PublishLimits>(), publishing);
        Copy(next.Get<AdmissionLimits>(), admission);
        Copy(next.Get<LogLimits>(), log);
        Copy(next.Get<UpstreamLimits>(), upstreams);
        server.Follow(next.Get<ServerLimits>() with { MaxRequestMessageSizeBytes = server.MaxRequestMessageSizeBytes });
        publishing.Follow(next.Get<PublishLimits>());
        engine.FollowLimits();
        gateway.FollowLimits();
        explainer.Follow();
        return ValueTask.CompletedTask;
    }

    /// <summary>Those of the same name.</summary>
    private void Copy(object from, object to)
    {
        foreach (var property in from.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance))
        {
            if (property.SetMethod is null || !LiveKeys.IsLimit(property.Name) ||
                to.GetType().GetProperty(property.Name) is not { SetMethod: not null } target)
                continue;
            var value = property.GetValue(from)!;
            target.SetValue(to, value);
            table.Set(property.Name, value);
        }
    }
}
