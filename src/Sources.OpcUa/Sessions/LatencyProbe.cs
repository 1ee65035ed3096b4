using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>Reads one small value again and again, so that the latency of an upstream that only publishes is known, and
/// is that of now.</summary>
internal static class LatencyProbe
{
    /// <summary>As often as a client looks whether its server is alive.</summary>
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    private static readonly ReadValueId[] State =
    [
        new()
        {
            NodeId = new NodeId(StandardIds.Variables.Server_ServerStatus_State),
            AttributeId = (uint)AttributeId.Value,
        },
    ];

    /// <summary>Until it is cancelled. An upstream that does not answer is the business of others.</summary>
    public static async Task RunAsync(IUpstreamSession session, TimeProvider time, CancellationToken cancellation)
    {
        using var timer = new PeriodicTimer(Interval, time);
        while (await timer.WaitForNextTickAsync(cancellation).ConfigureAwait(false))
        {
            try
            {
                await session.InvokeAsync<ReadRequest, ReadResponse>(
                    new ReadRequest { TimestampsToReturn = TimestampsToReturn.Neither, NodesToRead = State },
                    cancellation).ConfigureAwait(false);
            }
            catch (ServiceException)
            {
                // Refused, or no answer: neither is a latency.
            }
        }
    }
}
