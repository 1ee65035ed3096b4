using Gateway.Transport.Sockets;

namespace Gateway.Transport.Tests.Sockets;

public sealed class LoopSpreadTests
{
    private const int Rounds = 400;

    [Theory]
    [InlineData(1, 2, 0.7, 1)]
    [InlineData(1, 2, 0.8, 2)]
    [InlineData(2, 2, 1.9, 2)]
    [InlineData(2, 2, 0.6, 2)]
    [InlineData(2, 2, 0.4, 1)]
    [InlineData(1, 2, 0.0, 1)]
    [InlineData(3, 4, 2.5, 4)]
    [InlineData(4, 4, 1.0, 3)]
    [InlineData(1, 1, 1.0, 1)]
    public void Next_ByLoad_AsFewAsKeepUp(int active, int count, double load, int expected) =>
        Assert.Equal(expected, LoopSpread.Next(active, count, load));

    [Fact]
    public async Task ChangeOver_BehindEveryEvent_NothingIsLostAndBothLoopsServe()
    {
        var pair = await OnTwoLoopsAsync();
        await using (pair)
        {
            var threads = new HashSet<int>();
            var echoing = EchoAsync(pair, threads);
            for (var round = 0; round < Rounds; round++)
            {
                pair.Spread.Active = 1 + (round % 2);
                byte[] sent = [(byte)round, (byte)(round >> 8)];
                await pair.Peer.SendAsync(sent);
                Assert.Equal(sent, await pair.ReceiveAsync(sent.Length));
            }

            pair.Peer.Shutdown(System.Net.Sockets.SocketShutdown.Both);
            await echoing;
            Assert.Equal(2, threads.Count);
        }
    }

    [Fact]
    public async Task DisposeAsync_BesideAChangeOver_TheDescriptorIsClosedOnce()
    {
        for (var i = 0; i < 50; i++)
        {
            var pair = await OnTwoLoopsAsync();
            pair.Spread.Active = 2;
            await pair.Peer.SendAsync(new byte[] { 1 });
            await pair.DisposeAsync();
            Assert.Null(pair.Link.LocalUnderLock());
        }
    }

    /// <summary>A link whose loop is another one with two active than with one.</summary>
    private static async Task<SocketPair> OnTwoLoopsAsync()
    {
        while (true)
        {
            var pair = await SocketPair.ConnectAsync(loops: 2);
            if (pair.Link.Number % 2 == 1)
                return pair;
            await pair.DisposeAsync();
        }
    }

    private static async Task EchoAsync(SocketPair pair, HashSet<int> threads)
    {
        while (true)
        {
            var read = await pair.Link.Input.ReadAsync();
            threads.Add(Environment.CurrentManagedThreadId);
            if (read.Buffer.IsEmpty && read.IsCompleted)
                return;
            foreach (var part in read.Buffer)
                await pair.Link.Output.WriteAsync(part);
            pair.Link.Input.AdvanceTo(read.Buffer.End);
        }
    }
}
