using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Support;

/// <summary>For what follows on another thread, and says nothing when it has.</summary>
internal static class Condition
{
    public static async Task UntilAsync(Func<bool> holds)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(1));
        while (!holds())
            await look.WaitForNextTickAsync(patience.Token);
    }
}
