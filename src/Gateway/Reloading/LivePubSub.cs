using Gateway.Host.Configuration;
using Gateway.PubSub;
using Gateway.PubSub.Options;

namespace Gateway.Host.Reloading;

/// <summary>Data sets, connections and groups that come, go or change while the gateway runs.</summary>
internal sealed class LivePubSub(PubSubService service) : ILivePart
{
    public IReadOnlyList<string> Sections { get; } = ["PubSub"];

    public async ValueTask ApplyAsync(GatewayOptions next, CancellationToken cancellation)
    {
        try
        {
            await service.ApplyAsync(next.Get<PubSubOptions>(), cancellation).ConfigureAwait(false);
        }
        catch (InvalidOperationException error)
        {
            throw new NotTakenOverException(error.Message.Split('\n'), error);
        }
    }
}
