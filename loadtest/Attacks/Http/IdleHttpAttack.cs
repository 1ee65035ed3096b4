using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Http;

/// <summary>
/// Connections to the HTTP port that say nothing, more than the gateway's process may have descriptors, for a minute.
/// One that the gateway closes comes again, a thousand of them a second. Beside them <c>/livez</c> and
/// <c>/readyz</c> are asked for over new connections.
/// </summary>
internal sealed class IdleHttpAttack(string name, int descriptors, int sockets, int addresses) : Attack
{
    private const int SmallDescriptors = 512;
    private const int SmallSockets = 700;

    /// <summary>At so few descriptors there are 42 places. As at full size there are more of them than addresses:
    /// with an address for each place, the gateway cannot tell the one that asks for health from the others before it
    /// has asked.</summary>
    private const int SmallAddresses = 10;

    public override string Name => name;

    public override string Summary =>
        $"{sockets:N0} idle HTTP connections of {addresses} addresses at {descriptors:N0} descriptors: health answers.";

    public override string Rules => "R41, R05, R46";

    public override Plant PlantOf(AttackSize size) =>
        new() { DescriptorLimit = size == AttackSize.Full ? descriptors : SmallDescriptors };

    public override async Task RunAsync(AttackContext context)
    {
        var count = context.Pick(sockets, SmallSockets);
        var target = new WireTarget(context.HttpUrl.ToString());
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        end.CancelAfter(TimeSpan.FromSeconds(context.Pick(60, 3)));
        var health = new HealthProbe(context);
        var crowd = new SocketCrowd(target, count, context.Pick(addresses, Math.Min(addresses, SmallAddresses)));
        await using var others = crowd.StartOthers();
        await Task.WhenAll(crowd.RunAsync(end.Token), health.RunAsync(end.Token));

        context.Report.Add("sockets", count);
        context.Report.Add("connections made by the driver's process", crowd.Connects);
        context.Report.Add("descriptors at most", health.MostDescriptors);
        health.AddTo(context);
        if (health.MostDescriptors >= PlantOf(context.Size).DescriptorLimit)
            context.Report.Fail("the gateway was at its limit of descriptors");
    }
}
