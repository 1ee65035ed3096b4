using Gateway.Loadtest.Attacks.Logins;

namespace Gateway.Loadtest.Tests.Attacks;

public sealed class FailureTimesTests
{
    [Fact]
    public async Task MeasureAsync_Rounds_EachKindOnceInChangingOrderAfterThePreparation()
    {
        List<string> tries = [];
        var times = new FailureTimes("door", [Kind("a"), Kind("b"), Kind("c")], () => TryAsync("|"));

        await times.MeasureAsync(20);

        var rounds = string.Concat(tries).Split('|', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(21, rounds.Length);
        Assert.All(rounds, round => Assert.Equal("abc", string.Concat(round.Order())));
        Assert.Equal(6, rounds.Distinct().Count());

        (string, Func<int, Task<bool>>) Kind(string name) => (name, _ => TryAsync(name));

        Task<bool> TryAsync(string name)
        {
            tries.Add(name);
            return Task.FromResult(true);
        }
    }
}
