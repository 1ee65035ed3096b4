using Gateway.Testing;

namespace Gateway.Interop;

/// <summary>For what comes at a program's own pace. It is asked every now and then: one that is asked again and again
/// without a pause costs both cores, and others wait for them.</summary>
internal static class Eventually
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);

    public static async Task HoldsAsync(Func<Task<bool>> holds)
    {
        using CancellationTokenSource patience = new(Patience.Limit);
        using PeriodicTimer look = new(Pause);
        while (!await holds())
            await look.WaitForNextTickAsync(patience.Token);
    }

    /// <summary>The first answer that is as wanted.</summary>
    public static async Task<T> IsAsync<T>(Func<Task<T>> ask, Func<T, bool> isWanted)
    {
        T answer = default!;
        await HoldsAsync(async () => isWanted(answer = await ask()));
        return answer;
    }
}
