using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Uadp.Reading;

namespace Gateway.PubSub.Probes;

/// <summary>A WriterGroup that may be asked. A probe needs the security of the group's messages: a stranger can neither
/// learn of a sealed group nor make it speak.</summary>
/// <param name="Options">Of the group.</param>
/// <param name="Announcer">Answers; the output's.</param>
/// <param name="Reader">Opens probes; this disposes it.</param>
internal sealed record ProbeGroup(
    WriterGroupOptions Options, DatagramAnnouncer Announcer, UadpNetworkMessageReader Reader) : IDisposable
{
    public void Dispose() => Reader.Dispose();
}
