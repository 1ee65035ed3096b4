using Gateway.Testing;

namespace Gateway.Tests.Clock;

/// <summary>For what comes at the gateway's own pace.</summary>
internal static class Condition
{
    public static Task UntilAsync(Func<bool> holds) => UntilAsync(() => Task.FromResult(holds()));

    public static async Task UntilAsync(Func<Task<bool>> holds)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        while (!await holds())
            await look.WaitForNextTickAsync(patience.Token);
    }
}
