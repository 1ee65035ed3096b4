using Gateway.Host.Overview;
using Gateway.Rest.Overview;
using Gateway.Tests.Rest;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Management;

/// <summary>What began, changed and ended, and the notices of a gateway that is well.</summary>
[Collection(RestFixture.Name)]
public sealed class NoticeBoardTests(RestFixture fixture)
{
    private static readonly Notice Away = new("source", "Line1", true, "Line1 is away.", "Look at it.");

    [Fact]
    public async Task Look_NoticeComesStaysAndGoes_ChangesSaySo()
    {
        var found = new List<Notice>();
        await using var board = Make(found);
        found.Add(Away);
        board.Look();
        board.Look();
        var active = Assert.Single(board.Active);
        Assert.NotNull(active.Since);
        found.Clear();
        board.Look();

        Assert.Empty(board.Active);
        Assert.Equal(["ended", "began"], board.ReadChanges().Select(one => one.Change));
        Assert.Equal("source:Line1", board.ReadChanges()[0].Notice.Id);
    }

    [Fact]
    public async Task Look_WarningBecomesFault_IsAChangeAndComesFirst()
    {
        var found = new List<Notice> { new("limit", "A", true, "full", ""), Away with { IsFault = false } };
        await using var board = Make(found);
        board.Look();
        Assert.Equal(["A", "Line1"], board.Active.Select(one => one.Subject));
        found[0] = found[0] with { IsFault = false };
        found[1] = Away;
        board.Look();

        Assert.Equal("Line1", board.Active[0].Subject);
        Assert.Equal(2, board.ReadChanges().Count(one => one.Change == "changed"));
    }

    /// <summary>A folder of certificates that cannot be read hid that the disk was full.</summary>
    [Fact]
    public async Task Look_ASourceFails_OthersAreToldAndWhatItSaidStands()
    {
        var (failing, others) = (new Fixed([Away]), new List<Notice>());
        await using var board = new NoticeBoard(
            [failing, new Fixed(others)], [], TimeProvider.System, NullLogger<NoticeBoard>.Instance);
        board.Look();
        failing.Fault = new UnauthorizedAccessException();
        others.Add(new("disk", "store", true, "full", ""));
        board.Look();

        Assert.Equal(["Line1", "store"], board.Active.Select(one => one.Subject).Order());
        Assert.DoesNotContain(board.ReadChanges(), static one => one.Change == "ended");
        failing.Fault = null;
        board.Look();
        Assert.Equal(2, board.Active.Count);
    }

    [Fact]
    public async Task ReadChanges_MoreThanAreKept_TheNewest()
    {
        var found = new List<Notice>();
        await using var board = Make(found);
        for (var i = 0; i < 150; i++)
        {
            found.Add(Away with { Subject = $"Line{i}" });
            board.Look();
            found.Clear();
            board.Look();
        }

        var changes = board.ReadChanges();
        Assert.Equal(200, changes.Count);
        Assert.Equal("Line149", changes[0].Notice.Subject);
    }

    [Fact]
    public async Task Notices_OverHttp_AListOfEach()
    {
        fixture.Gateway.Host.Get<NoticeBoard>().Look();

        var (status, answer) = await RestGateway.GetAsync(fixture.Gateway.Observer, "/api/v1/notices");

        Assert.Equal(200, status);
        Assert.DoesNotContain(
            answer.GetProperty("active").EnumerateArray(), one => one.GetProperty("kind").GetString() == "source");
        Assert.True(answer.TryGetProperty("recent", out _));
    }

    private static NoticeBoard Make(List<Notice> found) =>
        new([new Fixed(found)], [], TimeProvider.System, NullLogger<NoticeBoard>.Instance);

    private sealed class Fixed(List<Notice> found) : INoticeSource
    {
        public Exception? Fault { get; set; }

        /// <summary>As some do it: not before it is asked for the first one.</summary>
        public IEnumerable<Notice> Read()
        {
            if (Fault is not null)
                throw Fault;
            foreach (var one in found)
                yield return one;
        }
    }
}
