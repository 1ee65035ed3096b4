using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Reading;
using Gateway.Testing;
using static Gateway.PubSub.Tests.Uadp.UadpPlant;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>Chunks out of order, twice, missing, overlapping, with sizes that lie.</summary>
public sealed class UadpChunkTests
{
    private static readonly UadpChunkKey Key = new(UadpPublisherId.Of((byte)1), 0, 1, 1, 1);

    private readonly ManualTimeProvider _time = new();
    private readonly UadpReaderCounters _counters = new();

    [Theory]
    [InlineData(1472)]
    [InlineData(1452)]
    [InlineData(256)]
    public void Read_ChunksInAnyOrder_AreTheMessage(int maxMessageBytes)
    {
        var description = Writer(3, default, UadpLayout.Dynamic.DataSetMask, MetaOf(BuiltInType.String));
        using var writer = MessageWriter(UadpLayout.Dynamic.NetworkMask, maxMessageBytes);
        using var reader = new UadpNetworkMessageReader(
            new UadpReaderOptions(), new UadpDirectory(description), null, _time);
        var random = new Random(maxMessageBytes);
        var text = string.Concat(Enumerable.Range(0, 20_000).Select(_ => (char)random.Next('a', 'z')));

        Message(writer, new FrameOf(description, FrameKind.KeyFrame, 77, Field(0, new(text))));
        var parts = Enumerable.Range(0, writer.PartCount).Select(i => writer.Part(i).ToArray()).ToArray();
        Assert.All(parts[..^1], part => Assert.Equal(maxMessageBytes, part.Length));
        random.Shuffle(parts);
        var results = parts.Concat(parts).Select(part => reader.Read(part)).ToArray();

        var whole = Assert.Single(results, result => result.Problem == UadpReadProblem.None).Data!;
        Assert.Equal(parts.Length - 1, results.Count(result => result.Problem == UadpReadProblem.Waiting));
        Assert.Equal(parts.Length, results.Count(result => result.Problem == UadpReadProblem.Repeated));
        Assert.Equal(text, whole.DataSets[0].Fields[0].Value.Value.AsString());
        Assert.Equal(0, reader.Chunks.WaitingBytes);
    }

    [Fact]
    public void Add_OverlapsAndContradictions_AreRefusedAndTheOthersStand()
    {
        var chunks = Assembler(new UadpReaderOptions());

        Assert.Equal(UadpReadProblem.Waiting, Add(chunks, 10, 30, 10));
        Assert.Equal(UadpReadProblem.Repeated, Add(chunks, 10, 30, 10));
        Assert.Equal(UadpReadProblem.ChunkContradicts, Add(chunks, 10, 30, 9));
        Assert.Equal(UadpReadProblem.ChunkContradicts, Add(chunks, 5, 30, 10));
        Assert.Equal(UadpReadProblem.ChunkContradicts, Add(chunks, 19, 30, 5));
        Assert.Equal(UadpReadProblem.ChunkContradicts, Add(chunks, 0, 31, 10));
        Assert.Equal(UadpReadProblem.Malformed, Add(chunks, 25, 30, 6));
        Assert.Equal(UadpReadProblem.Malformed, Add(chunks, uint.MaxValue, 30, 6));
        Assert.Equal(UadpReadProblem.Malformed, Add(chunks, 0, 30, 0));
        Assert.Equal(UadpReadProblem.Waiting, Add(chunks, 0, 30, 10));
        Assert.Equal(UadpReadProblem.None, Add(chunks, 20, 30, 10));
    }

    [Fact]
    public void Add_MissingChunk_IsGivenUpInTimeAndCounted()
    {
        var chunks = Assembler(new UadpReaderOptions());
        Add(chunks, 0, 30, 10);

        _time.Advance(TimeSpan.FromSeconds(6));
        chunks.GiveUpLate();

        Assert.Equal((0, 0L, 1L), (chunks.Waiting, chunks.WaitingBytes, _counters.ChunkTimeouts));
    }

    [Fact]
    public void Add_SizesThatLie_TakeNoMemoryAndHaveBounds()
    {
        var chunks = Assembler(new UadpReaderOptions { MaxWaitingBytes = 200, MaxChunks = 2 });

        Assert.Equal(UadpReadProblem.TooLarge, Add(chunks, 0, uint.MaxValue, 10));
        Assert.Equal(UadpReadProblem.Waiting, Add(chunks, 0, 1024 * 1024, 10));
        Assert.Equal(58, chunks.WaitingBytes);
        Assert.Equal(UadpReadProblem.Waiting, Add(chunks, 20, 1024 * 1024, 10));
        Assert.Equal(UadpReadProblem.TooLarge, Add(chunks, 40, 1024 * 1024, 10));
        Assert.Equal(UadpReadProblem.Waiting, Add(chunks, 0, 30, 10, 2));
        Assert.Equal(0, _counters[UadpReadProblem.ChunksFull]);
        Assert.Equal(UadpReadProblem.Waiting, Add(chunks, 0, 30, 10, 3));
        Assert.Equal((2, 116L, 1L), (chunks.Waiting, chunks.WaitingBytes, _counters[UadpReadProblem.ChunksFull]));
    }

    /// <summary>The sender of unsigned chunks is not known: whoever it is, a payload that comes is put together.
    /// </summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Add_ManyChunksWhoseOthersNeverCome_APayloadIsPutTogether(byte publisher)
    {
        var chunks = Assembler(new UadpReaderOptions());
        var forged = Key with { Publisher = UadpPublisherId.Of(publisher) };
        for (ushort i = 2; i < 1000; i++)
            chunks.Add(forged with { SequenceNumber = i }, 0, 30, new byte[1], out _);
        Assert.Equal(16, chunks.Waiting);
        Assert.Equal(982, _counters[UadpReadProblem.ChunksFull]);

        Assert.Equal(UadpReadProblem.Waiting, Add(chunks, 0, 30, 10));
        Assert.Equal(UadpReadProblem.None, Add(chunks, 10, 30, 20));
    }

    [Fact]
    public void Add_ChunksOfManyPublishers_TheOldestGoes()
    {
        var chunks = Assembler(new UadpReaderOptions());
        Add(chunks, 0, 30, 10);
        for (ushort i = 0; i < 64; i++)
        {
            _time.Advance(TimeSpan.FromMilliseconds(1));
            chunks.Add(Key with { Publisher = UadpPublisherId.Of(i) }, 0, 30, new byte[1], out _);
        }

        Assert.Equal((64, 1), (chunks.Waiting, (int)_counters[UadpReadProblem.ChunksFull]));
        Assert.Equal(UadpReadProblem.Waiting, Add(chunks, 10, 30, 20));
    }

    [Fact]
    public void TryAdd_AboveTheLimitOfADataSetMessage_IsRefused()
    {
        using var writer = new UadpNetworkMessageWriter(Group(UadpLayout.Dynamic.NetworkMask), new UadpWriterOptions
        {
            PublisherId = UadpPublisherId.Of(1UL),
            MaxMessageBytes = 1472,
            MaxDataSetMessageBytes = 5000,
        });
        var description = Writer(3, default, default, MetaOf(BuiltInType.String));
        writer.Begin(Guid.Empty, Timestamp);

        Assert.False(writer.TryAdd(Frame(description, FrameKind.KeyFrame, 1, Field(0, new(new string('x', 5001))))));
        Assert.Equal(UadpWriteProblem.TooLarge, writer.Problem);
        Assert.True(writer.TryAdd(Frame(description, FrameKind.KeyFrame, 1, Field(0, new(new string('x', 4900))))));
        Assert.False(writer.TryAdd(Frame(description, FrameKind.KeyFrame, 2, Field(0, new("x")))));
        Assert.Equal(UadpWriteProblem.MessageFull, writer.Problem);
    }

    private static UadpReadProblem Add(
        UadpChunkAssembler chunks, uint offset, uint total, int length, ushort sequenceNumber = 1) =>
        chunks.Add(Key with { SequenceNumber = sequenceNumber }, offset, total, new byte[length], out _);

    private UadpChunkAssembler Assembler(UadpReaderOptions options) => new(options, _counters, _time);
}
