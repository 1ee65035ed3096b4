using System.Diagnostics;
using System.Globalization;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Store.Tests.Kills;

public sealed class KillTests
{
    private const int Rounds = 8;

    [Fact]
    public async Task Kill_OfAProcessInALoop_LosesNothingThatWasKept()
    {
        var directory = Directory.CreateTempSubdirectory("store-").FullName;
        HashSet<long> read = [];
        var kept = 0L;
        var repeats = 0;
        for (var round = 0; round < Rounds; round++)
        {
            using var child = Start(directory);
            for (var lines = 100 + round * 97; lines > 0; lines--)
            {
                var line = await child.StandardOutput.ReadLineAsync().WaitAsync(Patience.Limit);
                Assert.NotNull(line);
                kept = Math.Max(kept, Note(line, read, ref repeats));
            }

            child.Kill();
            var rest = await child.StandardOutput.ReadToEndAsync().WaitAsync(Patience.Limit);
            var whole = rest[..(rest.LastIndexOf('\n') + 1)];
            foreach (var line in whole.Split('\n', StringSplitOptions.RemoveEmptyEntries))
                kept = Math.Max(kept, Note(line, read, ref repeats));
            await child.WaitForExitAsync().WaitAsync(Patience.Limit);
        }

        await using var log = StoreLog.Open(OptionsOf(directory), TimeProvider.System, NullLogger.Instance);
        while (log.State.Records > 0)
        {
            Assert.True(await log.WaitToReadAsync().AsTask().WaitAsync(Patience.Limit));
            while (log.TryRead(out var message))
            {
                Logs.Check(message);
                read.Add(message.Sequence);
                log.Acknowledge(message.Sequence);
            }
        }

        Assert.True(kept > 100);
        Assert.Empty(log.Gaps);
        Assert.Empty(Logs.Numbers(1, kept).Except(read));
        Assert.InRange(repeats, 0, Rounds * 2 * 50 + Rounds * OptionsOf(directory).MaxOutstanding);
        await log.DisposeAsync();
        Directory.Delete(directory, recursive: true);
    }

    public static StoreOptions OptionsOf(string directory) => Logs.Small with
    {
        Directory = directory,
        MaxBytes = 1L << 30,
        CommitCount = 50,
        CommitInterval = TimeSpan.FromMilliseconds(50),
    };

    private static long Note(string line, HashSet<long> read, ref int repeats)
    {
        Assert.NotEqual("G", line);
        var number = long.Parse(line[2..], CultureInfo.InvariantCulture);
        if (line[0] == 'F')
            return number;
        if (!read.Add(number))
            repeats++;
        return 0;
    }

    private static Process Start(string directory) => Process.Start(new ProcessStartInfo("dotnet")
    {
        ArgumentList = { "exec", typeof(KillTests).Assembly.Location, directory },
        RedirectStandardOutput = true,
    })!;
}
