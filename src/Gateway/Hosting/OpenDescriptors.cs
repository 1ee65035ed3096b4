using System.Runtime.InteropServices;

namespace Gateway.Host.Hosting;

/// <summary>How many descriptors the process holds. Directory enumeration of .NET asks for the attributes of each
/// entry, which here means of each socket: ten times the cost.</summary>
internal static partial class OpenDescriptors
{
    /// <summary><c>.</c>, <c>..</c> and the descriptor that the folder itself is read by.</summary>
    private const int NotCounted = 3;

    /// <summary>Null elsewhere than on Linux.</summary>
    public static int? Count()
    {
        if (!OperatingSystem.IsLinux())
            return null;
        var folder = OpenFolder("/proc/self/fd");
        if (folder == 0)
            return null;
        var entries = 0;
        while (ReadEntry(folder) != 0)
            entries++;
        _ = CloseFolder(folder);
        return entries - NotCounted;
    }

    [LibraryImport("libc", EntryPoint = "opendir", StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint OpenFolder(string path);

    [LibraryImport("libc", EntryPoint = "readdir")]
    private static partial nint ReadEntry(nint folder);

    [LibraryImport("libc", EntryPoint = "closedir")]
    private static partial int CloseFolder(nint folder);
}
