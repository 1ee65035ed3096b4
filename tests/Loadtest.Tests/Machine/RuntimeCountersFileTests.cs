using System.IO.MemoryMappedFiles;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Tests.Machine;

public sealed class RuntimeCountersFileTests
{
    [Fact]
    public void Read_NothingWritten_IsNull()
    {
        using var file = MemoryMappedFile.CreateNew(null, RuntimeCountersFile.Length);
        using var view = file.CreateViewAccessor();

        Assert.Null(RuntimeCountersFile.Read(view));
    }

    [Fact]
    public void Read_WrittenTwice_IsTheSecond()
    {
        using var file = MemoryMappedFile.CreateNew(null, RuntimeCountersFile.Length);
        using var view = file.CreateViewAccessor();
        RuntimeCountersFile.Write(view, new RuntimeCounters(1, 2, 3, 4, 5, 6, 7));

        RuntimeCountersFile.Write(view, new RuntimeCounters(10, 20, 30, 40, 50, 60, 70));

        Assert.Equal(new RuntimeCounters(10, 20, 30, 40, 50, 60, 70), RuntimeCountersFile.Read(view));
    }

    [Fact]
    public void Read_HalfWritten_IsNull()
    {
        using var file = MemoryMappedFile.CreateNew(null, RuntimeCountersFile.Length);
        using var view = file.CreateViewAccessor();
        RuntimeCountersFile.Write(view, new RuntimeCounters(1, 2, 3, 4, 5, 6, 7));

        view.Write(0, 2L);

        Assert.Null(RuntimeCountersFile.Read(view));
    }
}
