using Gateway.PubSub.Options;
using Gateway.PubSub.Uadp;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Outputs;

/// <summary>Makes what answers the probes of a connection.</summary>
internal interface IProbeAnswersFactory
{
    /// <param name="options">With a <see cref="ConnectionOptions.ProbeUrl"/>.</param>
    /// <param name="publisherId">Of the gateway.</param>
    /// <param name="send">To the connection's address.</param>
    /// <param name="logger">Of the connection.</param>
    IProbeAnswers Make(
        ConnectionOptions options, UadpPublisherId publisherId, DatagramAnnouncer.Sender send, ILogger logger);
}
