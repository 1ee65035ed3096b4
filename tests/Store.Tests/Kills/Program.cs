using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Store.Tests.Kills;

/// <summary>The child of <see cref="KillTests"/>: it appends, reads and acknowledges until it is killed, and tells each
/// step on its output. <c>R n</c>: record n was read; <c>F n</c>: all up to n are kept; <c>G</c>: there is a gap.
/// </summary>
internal static class Program
{
    public static async Task<int> Main(string[] args)
    {
        var options = KillTests.OptionsOf(args[0]);
        await using var log = StoreLog.Open(options, TimeProvider.System, NullLogger.Instance);
        var output = Console.Out;
        var reading = ReadAsync(log, output);
        while (!reading.IsCompleted)
        {
            var last = log.Append(10, 3000);
            await log.FlushAsync();
            await Say(output, $"F {last}");
        }

        await reading;
        return 1;
    }

    private static async Task ReadAsync(StoreLog log, TextWriter output)
    {
        while (await log.WaitToReadAsync())
        {
            while (log.TryRead(out var message))
            {
                Logs.Check(message);
                await Say(output, log.Gaps.Count > 0 ? "G" : $"R {message.Sequence}");
                log.Acknowledge(message.Sequence);
            }
        }
    }

    private static Task Say(TextWriter output, string line)
    {
        lock (output)
        {
            output.WriteLine(line);
            output.Flush();
        }

        return Task.CompletedTask;
    }
}
