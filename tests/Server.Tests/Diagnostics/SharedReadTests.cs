using Gateway.Codec.Types;
using Gateway.Server.Diagnostics;
using Gateway.Testing;

namespace Gateway.Server.Tests.Diagnostics;

public sealed class SharedReadTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task GetAsync_WhileOneIsMade_GivesTheSame()
    {
        var made = 0;
        using var gate = new ManualResetEventSlim();
        var read = new SharedRead(
            () =>
            {
                gate.Wait();
                return new ExtensionObject[++made];
            },
            _time);
        var first = read.GetAsync();
        var second = read.GetAsync();
        gate.Set();

        Assert.Same(first, second);
        await first;
        Assert.Equal(1, made);
    }

    [Fact]
    public async Task TryGet_ByAge_ReusesTheLongerTheMoreEntriesThereAre()
    {
        var read = new SharedRead(() => new ExtensionObject[1000], _time);
        Assert.False(read.TryGet(out _));
        DataValue value, again;
        var tries = 0;
        do
        {
            Assert.True(++tries < 1000, "never reused");
            value = await read.GetAsync();
            _time.Advance(19);
        }
        // The collector may take it: then it is made anew.
        while (!read.TryGet(out again));

        Assert.Same(value.Value.AsArray<ExtensionObject>(), again.Value.AsArray<ExtensionObject>());
        _time.Advance(1);
        Assert.False(read.TryGet(out _));
    }

    [Fact]
    public async Task GetAsync_MakingFailed_NextOneTriesAgain()
    {
        var fail = true;
        var read = new SharedRead(() => fail ? throw new InvalidOperationException() : [], _time);
        await Assert.ThrowsAsync<InvalidOperationException>(read.GetAsync);
        fail = false;

        Assert.Equal(StatusCode.Good, (await read.GetAsync()).Status);
    }
}
