using System.ComponentModel;
using System.Diagnostics;

namespace Gateway.Interop.PubSub;

/// <summary>mosquitto and its clients, of the system.</summary>
internal static class MosquittoProgram
{
    public static readonly string? Missing = new[] { Broker, "mosquitto_sub" }
        .FirstOrDefault(program => !Starts(program)) is { } missing
            ? $"{missing} is not installed: apt-get install mosquitto mosquitto-clients (README, Test)"
            : null;

    /// <summary>Debian puts it where only root looks.</summary>
    public static string Broker => File.Exists("/usr/sbin/mosquitto") ? "/usr/sbin/mosquitto" : "mosquitto";

    private static bool Starts(string program)
    {
        try
        {
            ProcessStartInfo start = new(program, ["-h"])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            using Process process = Process.Start(start)!;
            process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            return true;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }
}
