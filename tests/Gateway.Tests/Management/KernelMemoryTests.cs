using Gateway.Host.Overview;

namespace Gateway.Tests.Management;

public sealed class KernelMemoryTests : IDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("kernel");

    public KernelMemoryTests() => Write("proc/meminfo", "MemTotal:       16000 kB\nMemFree: 1 kB\n");

    [Fact]
    public void Read_NoGroup_TheMachines() => Assert.Equal(16_000 * 1024, KernelMemory.Read(_root.FullName));

    /// <summary>A container sees itself at the top.</summary>
    [Theory]
    [InlineData("0::/\n", "sys/fs/cgroup/memory.max")]
    [InlineData("0::/kubepods/pod1\n", "sys/fs/cgroup/memory.max")]
    [InlineData("0::/system.slice/gateway.service\n", "sys/fs/cgroup/system.slice/gateway.service/memory.max")]
    [InlineData("0::/system.slice/gateway.service\n", "sys/fs/cgroup/system.slice/memory.max")]
    [InlineData("9:cpu,memory:/docker/1\n3:pids:/\n", "sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes")]
    [InlineData("9:memory:/docker/1\n", "sys/fs/cgroup/memory/memory.limit_in_bytes")]
    public void Read_GroupWithALimit_ThatLimit(string groups, string file)
    {
        Write("proc/self/cgroup", groups);
        Write(file, "1000000\n");

        Assert.Equal(1_000_000, KernelMemory.Read(_root.FullName));
    }

    [Theory]
    [InlineData("0::/a\n", "sys/fs/cgroup/a/memory.max", "max\n")]
    [InlineData("1:memory:/a\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n")]
    [InlineData("broken\n", "sys/fs/cgroup/memory.max", "5\n")]
    public void Read_GroupWithoutALimit_TheMachines(string groups, string file, string limit)
    {
        Write("proc/self/cgroup", groups);
        Write(file, limit);

        Assert.Equal(16_000 * 1024, KernelMemory.Read(_root.FullName));
    }

    [Fact]
    public void Read_NothingToRead_NotKnown()
    {
        File.Delete(Path.Combine(_root.FullName, "proc/meminfo"));

        Assert.Equal(0, KernelMemory.Read(_root.FullName));
    }

    public void Dispose() => _root.Delete(recursive: true);

    private void Write(string file, string text)
    {
        var path = Path.Combine(_root.FullName, file);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }
}
