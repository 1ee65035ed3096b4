using Gateway.Admission.Load;

namespace Gateway.Admission.Tests.Load;

public class ServiceLevelRuleTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(0, 0, 0, 255)]
    [InlineData(0.8, 0, 0, 200)]
    [InlineData(0, 0.8, 0, 200)]
    [InlineData(0, 0, 2, 200)]
    [InlineData(1, 0, 0, 100)]
    [InlineData(0, 0, 100, 100)]
    [InlineData(0.4, 0.2, 0.5, 227.5)]
    public void Target_Load_AsStated(double sessions, double connections, double wait, double expected) =>
        Assert.Equal(expected, ServiceLevelRule.Target(new ServiceLoad(sessions, connections, wait)), 0.01);

    [Fact]
    public void Target_MoreLoad_NeverRises()
    {
        var last = 256.0;
        for (var use = 0.0; use <= 1.5; use += 0.01)
        {
            var target = ServiceLevelRule.Target(new ServiceLoad(use, 0, 0));
            Assert.True(target <= last);
            last = target;
        }
    }

    [Fact]
    public void Next_StormComes_BelowTwoHundredInTwoSeconds()
    {
        var storm = new ServiceLoad(0.2, 0.4, 15);

        var level = ServiceLevelRule.Next(ServiceLevelRule.Next(255, storm, Second), storm, Second);

        Assert.InRange(level, 100, 199);
    }

    [Fact]
    public void Next_LoadFlickers_StaysWhereItIs()
    {
        var level = ServiceLevelRule.Next(255, new ServiceLoad(0.5, 0, 0), Second);
        var levels = new HashSet<byte>();
        for (var i = 0; i < 20; i++)
            levels.Add(level = ServiceLevelRule.Next(level, new ServiceLoad(0.5 + (i % 2 * 0.03), 0, 0), Second));

        Assert.Single(levels);
    }

    [Fact]
    public void Next_LoadGone_RisesSlowlyToTheTop()
    {
        byte level = 100;
        var seconds = 0;
        for (; level < 255 && seconds < 100; seconds++)
            level = ServiceLevelRule.Next(level, default, Second);

        Assert.Equal(255, level);
        Assert.InRange(seconds, 10, 20);
    }
}
