namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>One certificate, one address: opens channels over many connections at once, drops each as soon as it is
/// open, and reconnects against any hint.</summary>
internal sealed class ConnectFlood(WireTarget target, RecordedOpening opening, int parallel) : Flood
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private static readonly HandshakePoint Opened = new("OPN answered", 0, 2);

    private readonly Knock _knock = new(target, opening, Opened);

    public override int Held => 0;

    public override long Served => _knock.Reached;

    public override IReadOnlyDictionary<string, long> Answers => _knock.Refusals;

    public override async Task RunAsync(double seconds, CancellationToken cancellation)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        end.CancelAfter(TimeSpan.FromSeconds(seconds));
        var running = new Task[parallel];
        for (var i = 0; i < parallel; i++)
            running[i] = LoopAsync(end.Token);
        await Task.WhenAll(running);
    }

    private async Task LoopAsync(CancellationToken end)
    {
        await Task.Yield();
        while (!end.IsCancellationRequested)
        {
            Attempt();
            await _knock.RunAsync(0, Patience, end);
        }
    }
}
