using System.Globalization;

namespace Gateway.Host.Overview;

/// <summary>The memory that the kernel lets the process have, with all that is not the runtime's: the limit of its
/// container or service (cgroup, both versions), else the machine's memory. Above it the kernel ends the process.
/// Source: proc(5), cgroups(7).</summary>
internal static class KernelMemory
{
    /// <summary>In bytes; 0: not known.</summary>
    /// <param name="root">Of the file system.</param>
    public static long Read(string root)
    {
        var limits = Groups(root).SelectMany(static file => Lines(file)).Select(Number)
            .Append(Machine(root)).Where(static limit => limit > 0).ToList();
        return limits.Count == 0 ? 0 : limits.Min();
    }

    /// <summary>The limits of the process's group and of those around it: each holds. In a container the path is often
    /// the one outside, and its own limit is at the top.</summary>
    private static IEnumerable<string> Groups(string root)
    {
        foreach (var line in Lines(Path.Combine(root, "proc/self/cgroup")))
        {
            if (line.Split(':', 3) is not [_, var controllers, var path])
                continue;
            var isSecond = controllers.Length == 0;
            if (!isSecond && !controllers.Split(',').Contains("memory"))
                continue;
            var (top, name) = isSecond
                ? (Path.Combine(root, "sys/fs/cgroup"), "memory.max")
                : (Path.Combine(root, "sys/fs/cgroup/memory"), "memory.limit_in_bytes");
            for (var group = path.Trim('/'); group.Length > 0; group = Path.GetDirectoryName(group) ?? "")
                yield return Path.Combine(top, group, name);
            yield return Path.Combine(top, name);
        }
    }

    private static long Machine(string root)
    {
        const string Total = "MemTotal:";
        const string Unit = "kB";
        var line = Lines(Path.Combine(root, "proc/meminfo"))
            .FirstOrDefault(static one => one.StartsWith(Total, StringComparison.Ordinal));
        return line is null ? 0 : 1024 * Number(line[Total.Length..].Replace(Unit, "", StringComparison.Ordinal));
    }

    /// <summary>0: "max", which is none.</summary>
    private static long Number(string text) =>
        long.TryParse(text, NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite,
            CultureInfo.InvariantCulture, out var number)
            ? number
            : 0;

    /// <summary>None of a file that cannot be read.</summary>
    private static string[] Lines(string file)
    {
        try
        {
            return File.Exists(file) ? File.ReadAllLines(file) : [];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
