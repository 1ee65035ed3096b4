using Gateway.Codec.Pooling;

namespace Gateway.Codec.Tests.Pooling;

public sealed class UncollectedBytesTests
{
    private readonly UncollectedBytes _bytes;
    private int _asked;

    public UncollectedBytesTests() => _bytes = new UncollectedBytes(100, () => _asked++);

    [Fact]
    public void Add_UpToTheThreshold_AsksOnceUntilACollectionHasEnded()
    {
        _bytes.Add(99);
        Assert.Equal(0, _asked);
        _bytes.Add(1);
        _bytes.Add(500);
        Assert.Equal(1, _asked);
        Assert.Equal(600, _bytes.Bytes);
    }

    [Fact]
    public void Collected_WhatWasAddedSinceTheOneBefore_CountsUntilTheNext()
    {
        _bytes.Add(60);
        _bytes.Collected();
        Assert.Equal(60, _bytes.Bytes);
        _bytes.Add(30);
        _bytes.Collected();
        Assert.Equal(30, _bytes.Bytes);
        _bytes.Collected();
        Assert.Equal(0, _bytes.Bytes);
        Assert.Equal(0, _asked);
    }

    [Fact]
    public void Collected_StillOverTheThreshold_AsksAgain()
    {
        _bytes.Add(100);
        _bytes.Collected();
        Assert.Equal(2, _asked);
        _bytes.Collected();
        Assert.Equal(0, _bytes.Bytes);
        Assert.Equal(2, _asked);
    }

    [Fact]
    public void Watch_CollectionsOfTheRuntime_AreNoticed()
    {
        var bytes = new UncollectedBytes(long.MaxValue);
        bytes.Add(1);
        for (var i = 0; i < 10 && bytes.Bytes > 0; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.Equal(0, bytes.Bytes);
    }
}
