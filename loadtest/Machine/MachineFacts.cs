using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Gateway.Loadtest.Machine;

/// <summary>Where and with what a run was made.</summary>
internal static class MachineFacts
{
    public static string Processor => ValueOf("/proc/cpuinfo", "model name");

    public static string Memory => ValueOf("/proc/meminfo", "MemTotal");

    public static string Runtime => RuntimeInformation.FrameworkDescription;

    public static string System => RuntimeInformation.OSDescription;

    public static int Cores => Environment.ProcessorCount;

    public static string OpenSsl => Output("openssl", "version");

    /// <summary>Of the working folder; empty outside a repository.</summary>
    public static string Commit => Output("git", "rev-parse --short HEAD");

    private static string ValueOf(string file, string key)
    {
        foreach (var line in File.ReadLines(file))
        {
            if (line.StartsWith(key, StringComparison.Ordinal))
                return line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim();
        }

        return string.Empty;
    }

    private static string Output(string program, string arguments)
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo(program, arguments)
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
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
