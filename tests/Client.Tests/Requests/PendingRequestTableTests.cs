using Gateway.Client.Requests;
using Gateway.Codec.Types;

namespace Gateway.Client.Tests.Requests;

public sealed class PendingRequestTableTests
{
    [Fact]
    public void Take_ManyPending_EachFoundOnceByItsId()
    {
        var table = new PendingRequestTable();
        for (uint id = 1; id <= 1000; id++)
            Assert.True(table.TryAdd(new Request { RequestId = id }));
        Assert.Equal(1000, table.Count);
        for (uint id = 1; id <= 1000; id++)
        {
            Assert.Equal(id, table.Take(id)!.RequestId);
            Assert.Null(table.Take(id));
        }

        Assert.Equal(0, table.Count);
    }

    [Fact]
    public void Take_UnknownId_NothingTaken()
    {
        var table = new PendingRequestTable();
        table.TryAdd(new Request { RequestId = 5 });
        Assert.Null(table.Take(1));
        Assert.Null(table.Take(9));
        Assert.Equal(1, table.Count);
    }

    [Fact]
    public void TryAdd_OldRequestNeverAnswered_TableBounded()
    {
        var table = new PendingRequestTable();
        Assert.True(table.TryAdd(new Request { RequestId = 1 }));
        Assert.False(table.TryAdd(new Request { RequestId = 1 + (1 << 16) }));
        Assert.True(table.TryAdd(new Request { RequestId = 2 + (1 << 16) }));
    }

    [Fact]
    public void TakeExpired_SomePastTheirDeadline_ThoseTakenAndNearestOfTheRestReturned()
    {
        var table = new PendingRequestTable();
        for (uint id = 1; id <= 6; id++)
            table.TryAdd(new Request { RequestId = id, Deadline = id * 10 });
        List<PendingRequest> expired = [];
        Assert.Equal(40, table.TakeExpired(30, expired));
        Assert.Equal([1u, 2u, 3u], expired.Select(request => request.RequestId).Order());
        Assert.Equal(3, table.Count);
        Assert.Equal(3, table.TakeAll().Length);
        Assert.Equal(long.MaxValue, table.TakeExpired(1000, expired));
    }

    private sealed class Request : PendingRequest
    {
        public override void Complete(ReadOnlySpan<byte> message)
        {
        }

        public override void Fail(StatusCode status, string detail)
        {
        }
    }
}
