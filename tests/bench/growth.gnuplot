# Draws what `gpurt-bench growth` wrote: gnuplot -c growth.gnuplot DATA.csv PICTURE.svg
set encoding utf8
set terminal svg noenhanced size 960,860 font 'sans-serif,12' linewidth 1.4 background '#ffffff'
set output ARG2
data = ARG1
set datafile separator ','
set multiplot layout 3,2 margins 0.06,0.965,0.045,0.955 spacing 0.09,0.095
set logscale xy
set format y '%g'
set grid xtics ytics linecolor '#dddddd' linewidth 0.6
set border 3
set tics nomirror scale 0.5
set key top left reverse Left samplen 2 spacing 1.1
set style data linespoints
set linetype 1 linecolor '#0072b2' pointtype 7 pointsize 0.5
set linetype 2 linecolor '#d55e00' pointtype 5 pointsize 0.5
set linetype 3 linecolor '#009e73' pointtype 9 pointsize 0.6
of(curve, column) = strcol(1) eq curve ? column : NaN

set title 'A job, by the number of tasks (event holds)'
set xrange [1:5000]
set xtics ('1' 1, '10' 10, '100' 100, '1,000' 1000)
set yrange [5:500]
plot data using 2:(of('tasks-np-edf', $4)) title 'np-edf, a kernel a job', \
     data using 2:(of('tasks-np-fp-cores', $4)) title 'np-fp, and two segments on four cores', \
     data using 2:(of('tasks-hardware', $4)) title 'hardware, a stream a task, 132 SMs'

set title 'A kernel of 8 blocks, by the number of streams (event holds)'
set yrange [10:500]
plot data using 2:(of('streams-kernel', $4)) title 'hardware, 132 SMs, up to 128 resident grids'

set title 'A block, by the number of SMs (event holds)'
set xrange [1:1024]
set yrange [0.1:50]
plot data using 2:(of('sms-own-block', $4)) title 'blocks with times of their own', \
     data using 2:(of('sms-equal-block', $4)) title 'equal blocks'

set title 'A block, by the number of blocks of a kernel (event holds)'
set xrange [1:1000000]
set xtics ('1' 1, '100' 100, '10,000' 10000, '1,000,000' 1000000)
set yrange [0.1:500]
plot data using 2:(of('blocks-own-block', $4)) title 'blocks with times of their own, 132 SMs', \
     data using 2:(of('blocks-equal-block', $4)) title 'equal blocks'

set title 'A job, by the number of jobs of a run, its start included (event holds)'
set xrange [10:10000000]
set xtics ('10' 10, '1,000' 1000, '100,000' 100000, '10,000,000' 10000000)
set yrange [5:1000]
set ytics ('10' 10, '100' 100, '1,000' 1000)
plot data using 2:(of('horizon-job', $4)) title 'np-edf, 20 tasks'

set title 'Memory, by the number of tasks (MB)'
set xrange [1:5000]
set xtics ('1' 1, '10' 10, '100' 100, '1,000' 1000)
set ytics auto
set yrange [0.1:200]
plot data using 2:(of('tasks-np-edf', $5 / 1e6)) title 'np-edf', \
     data using 2:(of('tasks-np-fp-cores', $5 / 1e6)) title 'np-fp on cores', \
     data using 2:(of('tasks-hardware', $5 / 1e6)) title 'hardware'
unset multiplot
