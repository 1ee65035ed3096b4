using Xunit.Abstractions;

namespace Gateway.Admission.Tests.Storm;

/// <summary>Why first come goes first: with a patience below the clients' and a word when it ends, the server works for
/// nobody in vain, and the last is served as soon as with any other order. Figures: run with
/// <c>--logger "console;verbosity=detailed"</c>.</summary>
public class OrderTests(ITestOutputHelper output)
{
    private OrderModel Run(string order, double obeying, double vanishing)
    {
        var model = new OrderModel(order, obeying, vanishing);
        model.Run();
        output.WriteLine(
            $"{order} | obeying {obeying:P0} | vanishing {vanishing:P0} | goodput {model.Goodput:P1} | half " +
            $"{model.SecondsUntil(0.5):F1} s | 99% {model.SecondsUntil(0.99):F1} s | all " +
            $"{model.SecondsUntil(1):F1} s | wasted {model.Wasted} | refusals {model.Refusals}");
        return model;
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 0)]
    [InlineData(0, 0.3)]
    [InlineData(1, 0.3)]
    [InlineData(0, 1)]
    [InlineData(1, 1)]
    public void Order_ClientsWithPatience_NoneIsBetterThanFirstComeFirstWithAWord(double obeying, double vanishing)
    {
        var ours = Run("FIFO, told after 4 s", obeying, vanishing);
        var others = new[] { "FIFO", "LIFO", "LIFO under overload" }
            .Select(order => Run(order, obeying, vanishing)).ToArray();

        Assert.Equal(0, ours.Wasted);
        Assert.InRange(ours.Goodput, 0.95, 1.01);
        Assert.All(others, other => Assert.True(ours.SecondsUntil(1) <= other.SecondsUntil(1) * 1.05));
    }
}
