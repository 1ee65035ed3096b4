using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Readers;
using Gateway.PubSub.Uadp;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Probes;

/// <inheritdoc/>
internal sealed class ProbeAnswersFactory(PublisherFacts publisher, PubSubLimits limits, TimeProvider time)
    : IProbeAnswersFactory
{
    public IProbeAnswers Make(
        ConnectionOptions options, UadpPublisherId publisherId, DatagramAnnouncer.Sender send, ILogger logger)
    {
        return new ProbeAnswers(
            publisherId, publisher.Endpoints, limits, time, send,
            own => new DatagramLink(DatagramAddress.Of(options.ProbeUrl!, options), [own], time, logger), logger);
    }
}
