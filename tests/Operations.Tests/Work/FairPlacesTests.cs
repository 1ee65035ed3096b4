using Gateway.Operations.Work;
using Gateway.Testing;

namespace Gateway.Operations.Tests.Work;

/// <summary>Places for work: a user with many requests holds up nobody else (R46).</summary>
public sealed class FairPlacesTests
{
    private readonly FairPlaces _places = new(1);

    [Fact]
    public async Task Leave_ManyOfOneUserWait_TheFirstOfAnotherIsSecond()
    {
        await EnterAsync("anna");
        Task[] annas = [.. Enumerable.Range(0, 100).Select(_ => EnterAsync("anna"))];
        var bob = EnterAsync("bob");

        _places.Leave();
        await annas[0];
        Assert.False(bob.IsCompleted);
        _places.Leave();
        await bob;

        Assert.All(annas[1..], static one => Assert.False(one.IsCompleted));
        foreach (var anna in annas[1..])
        {
            _places.Leave();
            await anna;
        }
    }

    [Fact]
    public async Task EnterAsync_NobodyWaitsAnyMore_APlaceIsFreeAgain()
    {
        await EnterAsync("anna");
        var bob = EnterAsync("bob");

        _places.Leave();
        await bob;
        _places.Leave();

        Assert.True(EnterAsync("anna").IsCompletedSuccessfully);
    }

    /// <summary>Also the last one of a user: the circle goes on.</summary>
    [Fact]
    public async Task EnterAsync_GivenUp_TheNextHasThePlace()
    {
        using var gone = new CancellationTokenSource();
        await EnterAsync("anna");
        Task[] given = [EnterAsync("anna", gone.Token), EnterAsync("bob", gone.Token)];
        var last = EnterAsync("carol");

        await gone.CancelAsync();
        foreach (var one in given)
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => one);
        _places.Leave();

        await last;
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => EnterAsync("anna", gone.Token));
        Assert.False(EnterAsync("anna").IsCompleted);
    }

    private Task EnterAsync(string account, CancellationToken cancellationToken = default) =>
        _places.EnterAsync(account, cancellationToken).AsTask().WaitAsync(Patience.Limit, CancellationToken.None);
}
