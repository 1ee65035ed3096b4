using Gateway.Codec.Pooling;

namespace Gateway.Codec.Tests.Pooling;

public sealed class ByteChainTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(4_000)]
    [InlineData(65_000)]
    [InlineData(200_000)]
    public void Write_InPieces_ComesBackInOrderAndNothingIsHeldBehind(int pieceBytes)
    {
        var bytes = new byte[700_001];
        new Random(1).NextBytes(bytes);
        using var chain = new ByteChain();
        foreach (var piece in bytes.Chunk(pieceBytes))
            chain.Write(piece);
        Assert.Equal(bytes.Length, chain.Length);

        var back = new byte[bytes.Length];
        chain.MoveTo(back);

        Assert.Equal(bytes, back);
        Assert.Equal((0, 0), (chain.Length, chain.CapacityBytes));
    }

    [Theory]
    [InlineData(4_096, 64 * 1024)]
    [InlineData(65_000, 16 * 1024 * 1024)]
    public void CapacityBytes_WhateverIsWritten_IsAtMostOneSegmentMore(int pieceBytes, int totalBytes)
    {
        using var chain = new ByteChain();
        var piece = new byte[pieceBytes];
        while (chain.Length + pieceBytes <= totalBytes)
        {
            chain.Write(piece);
            Assert.InRange(chain.CapacityBytes, chain.Length, chain.Length + ByteArrays.SegmentBytes);
        }
    }

    [Fact]
    public void Write_BehindWhatWasDropped_Goes()
    {
        using var chain = new ByteChain();
        var segment = new byte[ByteArrays.SegmentBytes];
        for (var i = 0; i < 100; i++)
        {
            segment.AsSpan().Fill((byte)i);
            chain.Write(segment);
            chain.Write(segment);
            Assert.Equal((byte)(i / 2), chain.First[0]);
            chain.DropFirst();
        }

        Assert.Equal(100 * segment.Length, chain.Length);
    }
}
