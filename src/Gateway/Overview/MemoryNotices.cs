using System.Globalization;
using Gateway.Host.Configuration;
using Gateway.Rest.Overview;

namespace Gateway.Host.Overview;

/// <summary>The process is near the memory that it may use: by the kernel, that of its container or of the machine; or
/// by the runtime, that of the heap, which in a container is a part of it. The budgets of parts of it are limits
/// (<see cref="LoadNotices"/>).</summary>
/// <param name="process">Bytes that the process has, and that it may have; 0: not known.</param>
/// <param name="heap">The same of the heap, without what the next collection will find.</param>
internal sealed class MemoryNotices(Func<(long Used, long Most)> process, Func<(long Used, long Most)> heap)
    : INoticeSource
{
    public const string Kind = "memory";

    private const double Near = 0.85;
    private const double Full = 0.95;
    private const double Mebibyte = 1024 * 1024;

    private const string Remedy =
        "Give it more memory, or lower the limits that hold most: the page Configuration lists what each one uses.";

    private static readonly Lazy<long> OfKernel = new(static () => KernelMemory.Read("/"));

    public MemoryNotices()
        : this(
            static () => (Environment.WorkingSet, OfKernel.Value),
            static () => (GC.GetGCMemoryInfo(GCKind.Any).HeapSizeBytes, MemoryShare.Memory))
    {
    }

    public IEnumerable<Notice> Read()
    {
        if (Find("process", "The gateway has", process()) is { } ofProcess)
            yield return ofProcess;
        if (Find("heap", "The gateway's heap has", heap()) is { } ofHeap)
            yield return ofHeap;
    }

    private static Notice? Find(string subject, string words, (long Used, long Most) memory)
    {
        var (used, most) = memory;
        if (most <= 0 || used < Near * most)
            return null;
        return new Notice(
            Kind, subject, used >= Full * most,
            string.Create(
                CultureInfo.InvariantCulture,
                $"{words} {used / Mebibyte:N0} MiB of the {most / Mebibyte:N0} MiB that it may use."),
            Remedy);
    }
}
