using System.Diagnostics;

namespace Gateway.Tidy;

public sealed class LargeFileTests
{
    private const long MaxBytes = 1 << 20;

    [Fact]
    public async Task TrackedFiles_All_AtMostOneMebibyte()
    {
        IReadOnlyList<string> tracked = await TrackedAsync();

        Assert.NotEmpty(tracked);
        ExceptionList.Check("large-file",
            from path in tracked
            let file = new FileInfo(Path.Combine(Repository.Root, path))
            where file.Exists && file.Length > MaxBytes
            select new Finding(path, $"{file.Length} bytes"));
    }

    /// <summary>What git tracks; outside a clone (an archive) what lies in the folders.</summary>
    private static async Task<IReadOnlyList<string>> TrackedAsync()
    {
        ProcessStartInfo start = new("git", ["-C", Repository.Root, "ls-files", "-z"])
        {
            RedirectStandardOutput = true,
        };
        try
        {
            using Process git = Process.Start(start)!;
            string paths = await git.StandardOutput.ReadToEndAsync();
            await git.WaitForExitAsync();
            if (git.ExitCode == 0)
                return paths.Split('\0', StringSplitOptions.RemoveEmptyEntries);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            // No git on this machine.
        }

        return [.. Repository.Files(".", "*")];
    }
}
