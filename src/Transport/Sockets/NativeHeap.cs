namespace Gateway.Transport.Sockets;

/// <summary>Memory that libraries below the runtime keep: OpenSSL's keys and contexts of ended connections.</summary>
public static class NativeHeap
{
    /// <summary>Gives free pages back to the system. Does nothing where the C library cannot.</summary>
    public static void Trim()
    {
        if (!OperatingSystem.IsLinux())
            return;
        try
        {
            _ = Libc.TrimHeap(0);
        }
        catch (EntryPointNotFoundException)
        {
            // Not glibc: musl gives back by itself.
        }
    }
}
