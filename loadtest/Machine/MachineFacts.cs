using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Gateway.Loadtest.Machine;

/// <summary>Where and with what a run was made.</summary>
internal static class MachineFacts
{
    public static string Machine
    {
        get
        {
            var kilobytes = ValueOf("/proc/meminfo", "MemTotal").Split(' ')[0];
            var memory = double.TryParse(kilobytes, CultureInfo.InvariantCulture, out var size)
                ? string.Create(CultureInfo.InvariantCulture, $"{size / 1024 / 1024:0.0} GiB")
                : "memory unknown";
            return $"{Environment.ProcessorCount} × {ValueOf("/proc/cpuinfo", "model name")}, {memory}";
        }
    }

    public static string System
    {
        get
        {
            var name = ValueOf("/etc/os-release", "PRETTY_NAME").Trim('"');
            return $"{(name.Length > 0 ? name : RuntimeInformation.OSDescription)}, " +
                $"kernel {ValueOf("/proc/sys/kernel/osrelease", string.Empty)}";
        }
    }

    public static string Runtime => RuntimeInformation.FrameworkDescription;

    public static string OpenSsl => Output("openssl", "version") is { Length: > 0 } text ? text : "openssl not found";

    /// <summary>Of this build's repository; "-dirty" where files differ from it.</summary>
    public static string Commit
    {
        get
        {
            var text = Output("git", "describe --always --dirty --abbrev=7 --exclude=*", AppContext.BaseDirectory);
            return text.Length > 0 ? text : "not in a repository";
        }
    }

    public static string Command => CommandText.Of(
        Environment.GetCommandLineArgs(), Environment.CurrentDirectory);

    /// <param name="file">Lines of <c>key: value</c> or <c>key=value</c>.</param>
    /// <param name="key">Empty: the whole first line.</param>
    private static string ValueOf(string file, string key)
    {
        if (!File.Exists(file))
            return string.Empty;
        foreach (var line in File.ReadLines(file))
        {
            if (key.Length == 0)
                return line.Trim();
            if (line.StartsWith(key, StringComparison.Ordinal))
                return line[(line.AsSpan().IndexOfAny(':', '=') + 1)..].Trim();
        }

        return string.Empty;
    }

    private static string Output(string program, string arguments, string folder = "")
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo(program, arguments)
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                WorkingDirectory = folder,
            })!;
            var text = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            return text.Trim();
        }
        catch (global::System.ComponentModel.Win32Exception)
        {
            return string.Empty;
        }
    }
}
