using System.Runtime.InteropServices;

namespace Gateway.Host.Hosting;

/// <summary>Sleeps for less than a millisecond, which the runtime's waits cannot. Source: nanosleep(2). Where there is
/// none it lets others run, and comes back at once.</summary>
internal static unsafe partial class ShortSleep
{
    private const int NanosecondsPerTick = 100;

    /// <param name="time">Below a second. A signal ends the sleep early, so the caller must check the clock.</param>
    public static void For(TimeSpan time)
    {
        if (!OperatingSystem.IsLinux() || !Environment.Is64BitProcess)
        {
            Thread.Yield();
            return;
        }

        var wanted = stackalloc long[] { 0, time.Ticks * NanosecondsPerTick };
        _ = NanoSleep(wanted, null);
    }

    [LibraryImport("libc", EntryPoint = "nanosleep")]
    private static partial int NanoSleep(long* wanted, long* left);
}
