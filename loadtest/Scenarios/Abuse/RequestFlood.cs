using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>One session with ever so many Reads under way.</summary>
internal sealed class RequestFlood(ClientSession session, int parallel) : Flood
{
    private const int NodesPerRead = 100;
    private const uint CurrentTime = 2258;

    private long _served;

    public override int Held => session.IsOpen ? 1 : 0;

    public override long Served => Volatile.Read(ref _served);

    public override async Task RunAsync(double seconds, CancellationToken cancellation)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        end.CancelAfter(TimeSpan.FromSeconds(seconds));
        var running = new Task[parallel];
        for (var i = 0; i < parallel; i++)
            running[i] = LoopAsync(end.Token);
        await Task.WhenAll(running);
    }

    public override void Dispose()
    {
        session.Abort();
        base.Dispose();
    }

    private async Task LoopAsync(CancellationToken end)
    {
        await Task.Yield();
        var node = new ReadValueId { NodeId = new NodeId(CurrentTime), AttributeId = (uint)AttributeId.Value };
        var request = new ReadRequest { NodesToRead = [.. Enumerable.Repeat(node, NodesPerRead)] };
        while (!end.IsCancellationRequested && session.IsOpen)
        {
            Attempt();
            try
            {
                await session.InvokeAsync<ReadRequest, ReadResponse>(request, CancellationToken.None);
                Interlocked.Increment(ref _served);
            }
            catch (ServiceException refused)
            {
                Answered(refused.Message);
            }
        }
    }
}
