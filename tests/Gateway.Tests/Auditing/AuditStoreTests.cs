using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Gateway.Codec.Types;
using Gateway.Host.Auditing;
using Gateway.Host.Hosting;
using Gateway.Host.Overview;
using Gateway.Server.Audit;
using Gateway.Server.Audit.Trail;
using Gateway.Store.Files;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Auditing;

/// <summary>The audit files: what is written, what survives, and what <c>audit verify</c> finds.</summary>
public sealed class AuditStoreTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;
    private readonly ManualTimeProvider _time = new();
    private string? _fault;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Append_Records_AreJsonLinesInAChain()
    {
        using (var store = Open())
        {
            store.Append(new AuditRecord(AuditEvent.SessionActivated, StatusCode.Good)
            {
                User = "anna",
                Remote = new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 4000),
                ChannelId = 7,
                SessionId = new NodeId(Guid.Empty, 1),
                SessionName = "a \"name\"\r\n",
                Detail = new string('x', 5_000),
            });
            store.Append(new AuditRecord(AuditEvent.SessionRefused, StatusCodes.BadTooManySessions) { Dropped = 5 });
        }

        var lines = Lines().Select(static line => JsonDocument.Parse(line).RootElement).ToList();
        Assert.Equal(
            ["Started", "SessionActivated", "SessionRefused", "Stopped"],
            lines.Select(static line => line.GetProperty("kind").GetString()));
        Assert.Equal([1, 2, 3, 4], lines.Select(static line => line.GetProperty("n").GetInt32()));
        Assert.Equal("127.0.0.1:4000", lines[1].GetProperty("from").GetString());
        Assert.Equal("a \"name\"\r\n", lines[1].GetProperty("name").GetString());
        Assert.Equal(1_000, lines[1].GetProperty("detail").GetString()!.Length);
        Assert.Equal(5, lines[2].GetProperty("dropped").GetInt32());
        Assert.Equal(lines[1].GetProperty("hash").GetString(), lines[2].GetProperty("prev").GetString());
        Assert.Equal(new string('0', 64), lines[0].GetProperty("prev").GetString());
        Assert.Empty(Check().Faults);
    }

    [Fact]
    public void Start_Again_TheChainGoesOn()
    {
        for (var i = 0; i < 3; i++)
        {
            using var store = Open();
            Append(store, 5);
        }

        var check = Check();
        Assert.Empty(check.Faults);
        Assert.Equal((1, 21, 21), (check.First, check.Last, check.Lines));
        Assert.Single(Files());
    }

    /// <summary>A process that was killed leaves the beginning of a line.</summary>
    [Fact]
    public void Start_AfterATornLine_RemovesItAndSaysSo()
    {
        using (var store = Open())
            Append(store, 3);
        File.AppendAllText(Files()[0], "{\"n\":6,\"at\":\"2026");
        Assert.True(Check().IsLastTorn);

        using (var store = Open())
            Append(store, 1);

        Assert.Empty(Check().Faults);
        Assert.False(Check().IsLastTorn);
        var told = Lines().Select(static line => JsonDocument.Parse(line).RootElement)
            .Single(static line => line.GetProperty("kind").GetString() == "LineTorn");
        Assert.Equal(17, told.GetProperty("bytes").GetInt32());
    }

    [Fact]
    public void Start_LastLineDamaged_BeginsAnewAndTheFaultStays()
    {
        using (var store = Open())
            Append(store, 3);
        Change(Files()[0], -100);

        using (var store = Open())
            Append(store, 1);

        Assert.NotEmpty(Check().Faults);
        Assert.Contains(
            Lines(), static line => line.Contains("\"kind\":\"ChainLost\",\"after\":5", StringComparison.Ordinal));
    }

    [Fact]
    public void Verify_AnyByteChanged_IsFound()
    {
        using (var store = Open())
            Append(store, 2);
        var (file, whole) = (Files()[0], File.ReadAllBytes(Files()[0]));
        for (var i = 0; i < whole.Length; i++)
        {
            var changed = (byte[])whole.Clone();
            changed[i] ^= 1;
            File.WriteAllBytes(file, changed);
            Assert.True(Check().Faults.Count > 0, $"byte {i} of {whole.Length}");
            // The other case of a letter.
            changed[i] = (byte)(whole[i] ^ 0x20);
            File.WriteAllBytes(file, changed);
            Assert.True(Check().Faults.Count > 0, $"byte {i} of {whole.Length}");
        }
    }

    [Fact]
    public void Verify_LinesRemovedAddedOrSwapped_IsFound()
    {
        using (var store = Open())
            Append(store, 4);
        var (file, lines) = (Files()[0], Lines());
        for (var i = 0; i < lines.Length; i++)
        {
            AssertFound(lines.Where((_, place) => place != i));
            AssertFound([.. lines[..(i + 1)], .. lines[i..]]);
            if (i > 0)
                AssertFound([.. lines[..(i - 1)], lines[i], lines[i - 1], .. lines[(i + 1)..]]);
            AssertFound(lines[..i]);
        }

        void AssertFound(IEnumerable<string> changed)
        {
            File.WriteAllText(file, string.Concat(changed.Select(static line => line + "\n")));
            Assert.NotEmpty(Check().Faults);
        }
    }

    [Fact]
    public void Append_MoreThanTheFilesMayHold_OldestGoAndTheRestIsWhole()
    {
        var options = new AuditOptions { Path = _folder, MaxFileBytes = 4_000, MaxBytes = 20_000 };
        using (var store = Open(options))
        {
            for (var i = 0; i < 20; i++)
            {
                Append(store, 20);
                _time.Advance(1_000);
                Assert.True(Files().Sum(static file => new FileInfo(file).Length) <= options.MaxBytes);
                Assert.Empty(Check().Faults);
            }
        }

        var check = Check();
        Assert.Empty(check.Faults);
        Assert.True(check.First > 1);
        Assert.Equal(402, check.Last);
        File.Delete(Files()[0]);
        Assert.NotEmpty(Check().Faults);
    }

    [Fact]
    public void Verify_FileBetweenMissing_IsFound()
    {
        using (var store = Open(new AuditOptions { Path = _folder, MaxFileBytes = 1_000 }))
            Append(store, 20);
        File.Delete(Files()[1]);
        Assert.Contains("audit-0000000002.jsonl is missing", Check().Faults);
    }

    /// <summary>The data plane goes on: lines wait up to a bound, the rest is counted, and a line says how many.
    /// </summary>
    [Fact]
    public void Append_DiskFull_IsToldAndNobodyWaits()
    {
        using (var store = Open(new AuditOptions { Path = _folder, MaxQueueBytes = 4_000 }))
        {
            _fault = "No space left on device";
            Append(store, 10);
            _time.Advance(1_000);
            Assert.Equal("No space left on device", store.Failure);
            var notice = Assert.Single(new AuditNotices(store).Read());
            Assert.EndsWith(": No space left on device", notice.Words);
            Assert.Equal("The audit trail is not on disk.", notice.PublicWords);
            Append(store, 500);
            _time.Advance(60_000);
            Assert.InRange(store.Lost, 400, 500);
            Assert.True(store.QueuedBytes < 5_000);

            _fault = null;
            _time.Advance(60_000);
            Assert.Null(store.Failure);
            Assert.Empty(new AuditNotices(store).Read());
            Assert.Equal(0, store.QueuedBytes);
            var lost = Lines().Select(static line => JsonDocument.Parse(line).RootElement)
                .Single(static line => line.GetProperty("kind").GetString() == "LinesLost");
            Assert.Equal(store.Lost, lost.GetProperty("lines").GetInt64());
        }

        Assert.Empty(Check().Faults);
    }

    /// <summary>An older batch has waited for the disk: what came behind it is written, too.</summary>
    [Fact]
    public void Dispose_DiskTakesLinesAgain_NothingThatWaitedIsLost()
    {
        using (var store = Open(new AuditOptions { Path = _folder, MaxQueueBytes = 4_000 }))
        {
            _fault = "No space left on device";
            Append(store, 3);
            _time.Advance(1_000);
            Append(store, 2);
            _fault = null;
        }

        Assert.Equal(["Started", "ChannelOpened", "Stopped"], Kinds().Distinct());
        Assert.Equal(7, Lines().Length);
        Assert.Empty(Check().Faults);
    }

    /// <summary>The bound is of all lines in memory, those on their way to the disk among them.</summary>
    [Fact]
    public void Append_DiskFull_MemoryStaysWithinTheBound()
    {
        using var store = Open(new AuditOptions { Path = _folder, MaxQueueBytes = 4_000 });
        _fault = "No space left on device";
        for (var i = 0; i < 4; i++)
        {
            Append(store, 500);
            _time.Advance(10_000);
            Assert.InRange(store.QueuedBytes, 3_500, 4_200);
        }

        _fault = null;
    }

    [Theory]
    [InlineData(1, "LinesMissing\",\"lines\":1")]
    [InlineData(3, "LinesMissing\",\"lines\":3")]
    public void Start_EndWasRemoved_TheGapStays(int count, string told)
    {
        using (var store = Open())
            Append(store, 3);
        File.WriteAllText(Files()[0], string.Concat(Lines()[..^count].Select(static line => line + "\n")));

        using (var store = Open())
            Append(store, 1);

        Assert.NotEmpty(Check().Faults);
        Assert.Contains(Lines(), line => line.Contains(told, StringComparison.Ordinal));
    }

    /// <summary>The end is another one: as many lines, or more.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public void Start_EndWasReplaced_TheFaultStays(int more)
    {
        using (var store = Open())
            Append(store, 3);
        var head = File.ReadAllBytes(Path.Combine(_folder, AuditHead.FileName));
        File.WriteAllText(Files()[0], string.Concat(Lines()[..^2].Select(static line => line + "\n")));
        File.Delete(Path.Combine(_folder, AuditHead.FileName));
        using (var store = Open())
            Append(store, more);
        File.WriteAllBytes(Path.Combine(_folder, AuditHead.FileName), head);
        File.WriteAllText(Files()[0], string.Concat(Lines().Select(static line => line + "\n")));

        using (var store = Open())
            Append(store, 1);

        Assert.Contains(Kinds(), static kind => kind == "ChainLost");
        Assert.NotEmpty(Check().Faults);
    }

    [Fact]
    public void Start_HeadWasRemoved_IsToldInTheTrail()
    {
        using (var store = Open())
            Append(store, 3);
        File.Delete(Path.Combine(_folder, AuditHead.FileName));
        using (Open())
            Assert.Contains("HeadMissing", Kinds());
        Assert.NotEmpty(Check().Faults);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    public void Start_FirstFilesOrAllWereRemoved_TheGapStays(int files)
    {
        var options = new AuditOptions { Path = _folder, MaxFileBytes = 1_000 };
        using (var store = Open(options))
            Append(store, 20);
        foreach (var file in Files().Take(files))
            File.Delete(file);

        using (var store = Open(options))
            Append(store, 1);

        Assert.Contains(Kinds(), static kind => kind is "FilesMissing" or "LinesMissing");
        Assert.NotEmpty(Check().Faults);
    }

    /// <summary>Texts are cut between characters of two halves, and a peer's half of one is no fault of ours.</summary>
    [Theory]
    [InlineData(255)]
    [InlineData(0)]
    public void Append_TextWithHalvesOfCharacters_IsALine(int before)
    {
        using (var store = Open())
            store.Append(new AuditRecord(AuditEvent.SessionCreated, StatusCode.Good)
            {
                SessionName = new string('x', before) + "\U0001F600" + "\uD83D",
                Detail = new string('x', 999) + "\U0001F600",
            });
        Assert.Equal(["Started", "SessionCreated", "Stopped"], Kinds());
        Assert.Empty(Check().Faults);
    }

    [Fact]
    public void Start_FolderInUse_IsToldAndTriedAgain()
    {
        var other = DiskFiles.Open(_folder);
        using var store = Open();
        Append(store, 1);
        Assert.NotNull(store.Failure);
        other.Dispose();
        _time.Advance(10_000);
        Assert.Null(store.Failure);
        Assert.Equal(2, Lines().Length);
    }

    [Fact]
    public void Append_InSteadyState_AllocatesNothing()
    {
        // More lines at one time than the measurement brings, whatever collections fall into it.
        const int Most = 60_000;
        using var store = Open(new AuditOptions { Path = _folder, MaxQueueBytes = 100_000_000 });
        var record = new AuditRecord(AuditEvent.SessionCreated, StatusCode.Good)
        {
            Remote = new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 4000),
            ChannelId = 7,
            Policy = "Basic256Sha256",
            SessionId = new NodeId(Guid.NewGuid(), 1),
            SessionName = "session",
        };
        for (var i = 0; i < 2 * Most; i++)
        {
            store.Append(record);
            if (i % Most == Most - 1)
                store.WriteNow();
        }

        // Beside many tests the runtime is late to compile its own methods well. A real allocation is there in each
        // try.
        var patience = Stopwatch.StartNew();
        var allocated = long.MaxValue;
        while (allocated > 0 && patience.Elapsed < Patience.Limit)
        {
            store.WriteNow();
            allocated = Allocations.OfThousand(() => store.Append(record));
        }

        Assert.Equal(0, allocated);
    }

    [Theory]
    [InlineData(0, "0 faults")]
    [InlineData(1, "changed")]
    [InlineData(2, "")]
    public void Verb_Verify_SaysWhatIsBrokenByItsExitCode(int code, string expected)
    {
        using (var store = Open())
            Append(store, 3);
        if (code == 1)
            Change(Files()[0], 40);
        using var output = new StringWriter();
        using var errors = new StringWriter();

        string[] arguments = code == 2 ? ["verify", Path.Combine(_folder, "none")] : ["verify", _folder];
        Assert.Equal(code, AuditVerb.Run(arguments, output, errors));

        Assert.Contains(expected, output.ToString(), StringComparison.Ordinal);
        Assert.Equal(code == 2, errors.ToString().Length > 0);
    }

    [Fact]
    public void Verb_Misused_SaysHow()
    {
        using var output = new StringWriter();
        using var errors = new StringWriter();
        Assert.Equal(2, AuditVerb.Run(["look"], output, errors));
        Assert.Contains("audit verify [FOLDER]", errors.ToString(), StringComparison.Ordinal);
    }

    private static void Append(AuditStore store, int count)
    {
        for (var i = 0; i < count; i++)
            store.Append(new AuditRecord(AuditEvent.ChannelOpened, StatusCode.Good) { ChannelId = (uint)i + 1 });
    }

    /// <summary>A byte from the beginning, or from the end.</summary>
    private static void Change(string file, int place)
    {
        var bytes = File.ReadAllBytes(file);
        bytes[place < 0 ? bytes.Length + place : place] ^= 1;
        File.WriteAllBytes(file, bytes);
    }

    private AuditStore Open(AuditOptions? options = null)
    {
        var store = new AuditStore(
            options ?? new AuditOptions { Path = _folder }, _time, NullLogger<AuditStore>.Instance,
            folder => new FaultyFiles(DiskFiles.Open(folder), () => _fault));
        store.Start();
        return store;
    }

    private AuditCheck Check()
    {
        using var files = new AuditFolder(_folder);
        return AuditCheck.Run(files);
    }

    private string[] Files() => [.. Directory.GetFiles(_folder, "audit-*.jsonl").Order(StringComparer.Ordinal)];

    private IEnumerable<string?> Kinds() =>
        Lines().Select(static line => JsonDocument.Parse(line).RootElement.GetProperty("kind").GetString());

    private string[] Lines() =>
        [.. Files().SelectMany(static file => Encoding.UTF8.GetString(File.ReadAllBytes(file)).Split('\n'))
            .Where(static line => line.Length > 0)];
}
