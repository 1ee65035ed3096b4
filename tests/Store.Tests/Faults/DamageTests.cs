using Gateway.Store.Records;

namespace Gateway.Store.Tests.Faults;

public sealed class DamageTests
{
    [Fact]
    public void Open_OfASegmentTornAtEachByte_BringsTheWholeRecords()
    {
        using var files = new MemoryFiles();
        var log = Logs.Stepped(files);
        log.Append(6, 60);
        log.Turn();
        var name = Assert.Single(files.Segments);
        var whole = files.Content[name];

        for (var length = 0; length <= whole.Length; length++)
        {
            using var torn = files.Copy();
            torn.Content[name] = whole[..length];
            // The head has 64 bytes, a record 104: 32 of its own head, 6 of the topic, 60, and the fill.
            var expected = Math.Max(0, (length - 64) / 104);
            var next = Logs.Stepped(torn);
            Assert.Equal(expected + 1, next.Append(1, 60));
            next.Turn();

            Assert.Equal(Logs.Numbers(1, expected + 1), Logs.Stepped(torn).ReadAll());
            Assert.Empty(next.Gaps);
        }
    }

    [Fact]
    public void Open_WithOneByteChangedInAnOlderSegment_LosesAtMostItsRecordAndSaysSo()
    {
        using var files = new MemoryFiles();
        Logs.Stepped(files).AppendAndTurn(6);
        Logs.Stepped(files).AppendAndTurn(6);
        var name = files.Segments[0];

        for (var at = 0; at < files.Content[name].Length; at++)
        {
            using var damaged = files.Copy();
            damaged.Content[name][at] ^= 0x10;
            var log = Logs.Stepped(damaged);
            var read = log.ReadAll();
            var lost = Logs.Numbers(1, 12).Except(read).ToList();

            Assert.Equal(read.Order().Distinct(), read);
            Assert.InRange(lost.Count, 0, 1);
            Assert.Equal(lost, log.Gaps.SelectMany(gap => Logs.Numbers(gap.From, gap.To)));
            Assert.All(log.Gaps, gap => Assert.Equal(GapReason.Unreadable, gap.Reason));
        }
    }

    [Fact]
    public void Open_WithoutASegment_SaysWhichRecordsAreMissing()
    {
        using var files = new MemoryFiles();
        for (var i = 0; i < 3; i++)
            Logs.Stepped(files).AppendAndTurn(5);
        files.Content.Remove(files.Segments[1]);
        var log = Logs.Stepped(files);

        Assert.Equal([1, 2, 3, 4, 5, 11, 12, 13, 14, 15], log.ReadAll());
        var gap = Assert.Single(log.Gaps);
        Assert.Equal((6, 10, 5L), (gap.From, gap.To, gap.Count));
    }

    [Fact]
    public void Open_WithoutMarks_RepeatsAllThatIsStored()
    {
        using var files = new MemoryFiles();
        var log = Logs.Stepped(files);
        log.AppendAndTurn(10);
        log.ReadAll();
        files.Content.Remove("marks.0");
        files.Content.Remove("marks.1");

        Assert.Equal(Logs.Numbers(1, 10), Logs.Stepped(files).ReadAll());
    }

    [Theory]
    [InlineData("marks.0")]
    [InlineData("marks.1")]
    public async Task Open_WithOneDamagedMarksFile_UsesTheOther(string name)
    {
        using var files = new MemoryFiles();
        var log = Logs.Stepped(files);
        log.AppendAndTurn(10);
        log.ReadAll();
        await log.DisposeAsync();
        files.Content[name].AsSpan(0, 4096).Fill(0xAA);
        var read = Logs.Stepped(files).ReadAll();

        Assert.True(read.Count is 0 or 10);
    }

    [Fact]
    public void Open_OfAnotherVersion_Throws()
    {
        using var files = new MemoryFiles();
        Logs.Stepped(files).AppendAndTurn(1);
        using var marks = files.Copy();
        foreach (var name in new[] { "marks.0", "marks.1" })
            SetVersion(marks.Content[name], 20 + BitConverter.ToInt32(marks.Content[name], 16));

        Assert.Equal(StoreFault.WrongVersion, Assert.Throws<StoreException>(() => Logs.Stepped(marks)).Fault);
        files.Content.Remove("marks.0");
        files.Content.Remove("marks.1");
        SetVersion(files.Content[files.Segments[0]], 64);
        Assert.Equal(StoreFault.WrongVersion, Assert.Throws<StoreException>(() => Logs.Stepped(files)).Fault);
    }

    [Fact]
    public void Read_OfPayloadsThatLookLikeRecords_IsNotFooledBehindDamage()
    {
        using var files = new MemoryFiles();
        Logs.Stepped(files).AppendAndTurn(2, 1000);
        var stolen = files.Content[files.Segments[0]][64..];
        using var victim = new MemoryFiles();
        var log = Logs.Stepped(victim);
        log.TryAppend(1, 3, "topic678"u8, stolen, out _);
        log.Turn();
        Logs.Stepped(victim).AppendAndTurn(1);
        victim.Content[victim.Segments[0]][70] ^= 1;
        var next = Logs.Stepped(victim);

        Assert.Equal([2], next.ReadAll());
        Assert.Equal(1, Assert.Single(next.Gaps).Count);
    }

    /// <summary>As a later version of the gateway would write it: with a right checksum.</summary>
    private static void SetVersion(byte[] file, int length)
    {
        file[8] = 9;
        var check = Crc32C.Of(file.AsSpan(16, length - 16), Crc32C.Of(file.AsSpan(0, 12)));
        BitConverter.TryWriteBytes(file.AsSpan(12), check);
    }
}
