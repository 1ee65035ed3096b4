using System.Runtime.InteropServices;

namespace Gateway.Transport.Security;

/// <summary>Makes the calling thread yield to the threads that publish.</summary>
public static partial class WorkerPriority
{
    private const int OfAProcess = 0;

    /// <summary>A third of a normal thread's weight where both want the processor; all of it without competition.
    /// </summary>
    private const int Nice = 5;

    /// <summary>On Linux, where a nice value is a thread's; does nothing where the system does not let us.
    /// Source: setpriority(2), "C library/kernel differences": 0 is the calling thread.</summary>
    public static void Lower()
    {
        if (!OperatingSystem.IsLinux())
            return;
        try
        {
            _ = SetPriority(OfAProcess, 0, Nice);
        }
        catch (Exception error) when (error is DllNotFoundException or EntryPointNotFoundException)
        {
            // A C library without it: the workers have normal priority.
        }
    }

    [LibraryImport("libc", EntryPoint = "setpriority")]
    private static partial int SetPriority(int which, uint who, int priority);
}
